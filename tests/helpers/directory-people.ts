/** The people and groups of a test directory (LDIF), with names and passwords that need care. */
export const READER = { dn: 'cn=reader,dc=example,dc=org', password: 'password of the reader' }

export const PEOPLE = {
  ann: 'x',
  'max*': 'long "pass" phrase',
  müller: 'пароль',
  'o(brien)\\,=+': '$(id)',
  boss: 'the password of the boss',
} as const

export const personDn = (uid: string) => `uid=${uid},ou=people,dc=example,dc=org`

/** OpenLDAP writes the names of entries in this way. */
const escapedDn = (uid: string) => personDn(uid.replace(/[\\,=+]/g, (letter) => `\\${letter}`))

const base64 = (text: string) => Buffer.from(text).toString('base64')

const person = ([uid, password]: readonly [string, string], index: number) => `
dn:: ${base64(escapedDn(uid))}
objectClass: inetOrgPerson
objectClass: windowsUser
uid:: ${base64(uid)}
cn:: ${base64(`Person ${uid}`)}
sn: person
mail: person${index}@example.org
employeeType: ${index % 2 === 0 ? 'staff' : 'guest'}
sAMAccountName:: ${base64(uid)}
objectGUID:: ${Buffer.from(`3322110055447766889900112233440${index}`, 'hex').toString('base64')}
userPassword:: ${base64(password)}
`

const group = (name: string, members: readonly string[]) => `
dn: cn=${name},ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: ${name}
${members.map((member) => `member:: ${base64(member)}`).join('\n')}
`

/** Two people have the same mail: "twins". Staff has a group in it. */
export const PEOPLE_LDIF = `
dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups

dn: ${READER.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${READER.password}
${Object.entries(PEOPLE).map(person).join('')}
dn: uid=twin1,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: twin1
cn: twin
sn: twin
mail: twins@example.org
userPassword: twin

dn: uid=twin2,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: twin2
cn: twin
sn: twin
mail: twins@example.org
userPassword: twin

dn: ou=elsewhere,dc=example,dc=org
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:1/ou=elsewhere,dc=example,dc=org
${group('it-admins', [escapedDn('boss')])}${group('staff', [escapedDn('ann'), escapedDn('boss'), escapedDn('o(brien)\\,=+')])}`

/** Only the reader may search, and people may read themselves. */
export const PEOPLE_ACCESS = `
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by self read by anonymous auth by users search by * none
overlay memberof
`
