"""Tables of postures: cells that learnt, by what they missed, where the postures of a target are."""
