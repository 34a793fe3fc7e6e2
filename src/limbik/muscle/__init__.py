"""Arms that are moved by muscles: from where the tip should be to lengths, and back."""
