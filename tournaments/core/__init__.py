"""What every feature uses: actions, record, permissions, errors, messages, names."""
