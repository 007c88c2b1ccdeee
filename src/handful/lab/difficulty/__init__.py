"""How hard is a deal? What a fixed panel of bots makes of it when it is played again and again, slips included."""
