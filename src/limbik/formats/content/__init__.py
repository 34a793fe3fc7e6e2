"""Files of tables and networks: arrays and metadata in one file with a checksum."""
