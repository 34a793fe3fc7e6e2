"""The methods that are part of limbik; tests register further ones."""

import limbik as lk

SHIPPED = {name: method for name, method in lk.METHODS.items() if type(method).__module__.startswith("limbik.")}
