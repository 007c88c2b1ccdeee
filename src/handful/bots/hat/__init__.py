"""Hat guessing: whatever is said is said to everybody, as one number.

Everybody sees all hands but the own one. So whoever says the *sum* of one number for each of the other hands tells each
of them its own: all the others subtract what they see. Four bots of this kind: `recommendation` and `hat-2018` tell
what to do; `hat` and `information` answer questions about the cards. These two are one design with different settings:
what everybody knows (`notes_kernel`), questions about a hand (`questions_kernel`), numbers said by hints and by choices
(`code_kernel`), what a seat knows and may lose (`outlook_kernel`), and worlds to plan in (`worlds_kernel`).
"""
