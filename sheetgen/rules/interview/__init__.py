"""Making a character by choice: questions, answers, and the way back."""
