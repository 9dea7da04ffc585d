#!/usr/bin/python3
"""Signs users of an LDAP directory in to filemgr. Needs ldapsearch and ldapwhoami (package ldap-utils or openldap-clients).

Change the lines below, and make the file executable. To try it: echo '{"username":"max","password":"secret"}' | ./ldap.py
Whatever goes wrong refuses the user: filemgr takes any exit code but 0 for a refusal.
"""

import base64
import json
import os
import re
import subprocess
import sys

SERVER = "ldaps://ldap.example.org"
USERS = "ou=people,dc=example,dc=org"
# {} is the name that was typed. Active Directory: (sAMAccountName={})
FILTER = "(&(objectClass=inetOrgPerson)(uid={}))"
# The attribute that names the account, so that it has one name however people type theirs. Active Directory: sAMAccountName
NAME = "uid"
# Searches the directory. Its password is the whole content of the file, without a line end; only the account of filemgr may read
# it. Empty searches without signing in.
READER = "cn=filemgr,ou=services,dc=example,dc=org"
READER_PASSWORD_FILE = "/etc/filemgr/ldap-password"
# Members administer filemgr. Empty leaves that to filemgr.
ADMINISTRATORS = ""
# Seconds. filemgr waits for ten.
TIMEOUT = 3


def run(program, *arguments, password=None):
    """Runs a program of OpenLDAP. A password is passed by a pipe: arguments can be listed by every account."""
    line = [program, "-x", "-H", SERVER, "-o", f"nettimeout={TIMEOUT}", *arguments]
    pipe = []
    if password is not None:
        read_end, write_end = os.pipe()
        os.write(write_end, password.encode())
        os.close(write_end)
        pipe = [read_end]
        line += ["-y", f"/dev/fd/{read_end}"]
    try:
        return subprocess.run(line, pass_fds=pipe, capture_output=True, encoding="utf-8", timeout=TIMEOUT, check=False)
    except FileNotFoundError:
        sys.exit(f"{program} is not installed")
    except subprocess.TimeoutExpired:
        sys.exit("the directory does not answer")
    finally:
        for end in pipe:
            os.close(end)


def search(base, scope, filter_text, attribute):
    """The entries that match, each as its attributes."""
    reader = ["-D", READER, "-y", READER_PASSWORD_FILE] if READER else []
    found = run("ldapsearch", *reader, "-LLL", "-o", "ldif-wrap=no", "-z", "2", "-b", base, "-s", scope, filter_text, attribute)
    # 4: more entries than asked for; two are enough to know that the name is not unique.
    if found.returncode not in (0, 4):
        sys.exit(f"the directory cannot be searched: {found.stderr.strip()}")
    return [entry for entry in found.stdout.strip().split("\n\n") if re.search("^dn:", entry, re.MULTILINE)]


def value_of(entry, attribute):
    """In LDIF, two colons announce base64, which stands for letters beyond ASCII."""
    match = re.search(rf"^{re.escape(attribute)}:(:?) *(.*)$", entry, re.MULTILINE | re.IGNORECASE)
    if match is None:
        sys.exit(f"the entry has no {attribute}")
    return base64.b64decode(match[2]).decode() if match[1] else match[2]


def escaped(text):
    """For a filter (RFC 4515). The attack is a name such as "*" or "x)(uid=admin" that finds somebody else."""
    return "".join(f"\\{byte:02x}" if chr(byte) in "*()\\\0" or byte > 127 else chr(byte) for byte in text.encode())


def main():
    typed = json.load(sys.stdin)
    # The attack is an empty password: a directory takes it for a sign-in without a name, and accepts it.
    if not typed["username"] or not typed["password"]:
        sys.exit("no name or no password")
    entries = search(USERS, "sub", FILTER.format(escaped(typed["username"])), NAME)
    if len(entries) != 1:
        sys.exit(f"{len(entries)} entries match the name")
    user = value_of(entries[0], "dn")
    # "Max" finds the entry of "max". filemgr would not make two accounts of them, but " max" is no name of this entry.
    if value_of(entries[0], NAME).casefold() != typed["username"].casefold():
        sys.exit("the name is written differently in the directory")
    if run("ldapwhoami", "-D", user, password=typed["password"]).returncode != 0:
        sys.exit("the password is wrong")
    print("hook.action=auth")
    if ADMINISTRATORS:
        is_admin = search(ADMINISTRATORS, "base", f"(member={escaped(user)})", "dn") != []
        print(f"user.perm.admin={str(is_admin).lower()}")


main()
