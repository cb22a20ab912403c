"""Why a player has an opponent, in one plain sentence for the player."""
