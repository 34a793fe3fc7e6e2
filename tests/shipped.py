"""The methods that limbik ships; tests register toys beside them."""

import limbik as lk

SHIPPED = {name: method for name, method in lk.METHODS.items() if type(method).__module__.startswith("limbik.")}
