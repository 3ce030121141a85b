import hashlib


def digest(folder, number):
    with open(f"{folder}/note.txt", "rb") as file:
        found = hashlib.md5(file.read()).hexdigest()
    with open(f"{folder}/seen.txt", "w") as file:
        file.write(found)
    return found
