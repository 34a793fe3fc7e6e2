"""Tables and networks as files: arrays and facts in one file in which any changed byte is noticed."""
