import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectLdap, type LdapServer } from '../../../src/platform/network/ldap/ldap-client.ts'
import { ldapIdText, ldapWith } from '../../../src/platform/network/ldap/ldap-text.ts'
import { PEOPLE, PEOPLE_ACCESS, PEOPLE_LDIF, personDn, READER } from '../../helpers/directory-people.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { startDirectory, type TestDirectory } from '../../helpers/slapd.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'

let folder: TempFolder
let directory: TestDirectory
const cleanUp = new AsyncDisposableStack()

beforeAll(async () => {
  folder = cleanUp.use(await tempFolder())
  directory = cleanUp.use(await startDirectory(folder, PEOPLE_LDIF, PEOPLE_ACCESS))
})
afterAll(async () => await cleanUp.disposeAsync())

const server = (more: Partial<LdapServer> = {}): LdapServer => ({
  url: directory.url,
  startTls: true,
  caFile: directory.caFile,
  timeout: 20_000,
  ...more,
})

const PERSON = { base: 'ou=people,dc=example,dc=org', attributes: ['uid', 'entryUUID'], limit: 2 }

const dnsBy = async (filter: string, values: Record<string, string>) => {
  using connection = await connectLdap(server())
  await connection.secure()
  await connection.bind(READER.dn, READER.password)
  const { entries } = await connection.search({ ...PERSON, filter: ldapWith(filter, values) })
  return entries
}

describe('a connection to a directory', () => {
  it('is encrypted by StartTLS or from the beginning, with the authority that is given', async () => {
    using byStartTls = await connectLdap(server())
    expect(await byStartTls.secure()).toBe('TLSv1.3')
    using fromTheBeginning = await connectLdap(server({ url: directory.tlsUrl, startTls: false }))
    expect(await fromTheBeginning.secure()).toBe('TLSv1.3')
    using clear = await connectLdap(server({ startTls: false }))
    expect(await clear.secure()).toBeUndefined()
    for (const connection of [byStartTls, fromTheBeginning, clear])
      expect(await connection.bind(personDn('ann'), PEOPLE.ann)).toMatchObject({ isAccepted: true })
  })

  it.each([true, false])(
    'is refused if another authority has signed the certificate (StartTLS: %s)',
    async (startTls) => {
      const caFile = selfSigned(folder).cert
      using connection = await connectLdap(
        server({ caFile, startTls, url: startTls ? directory.url : directory.tlsUrl }),
      )
      await expect(connection.secure()).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/certificate is not trusted/) as string,
      })
      await expect(connection.bind(personDn('ann'), PEOPLE.ann)).rejects.toMatchObject({ code: 'INTERNAL' })
    },
  )

  it('never sends a password in clear text if TLS was asked for', async () => {
    using connection = await connectLdap(server())
    await expect(connection.bind(personDn('ann'), PEOPLE.ann)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it.each([
    [personDn('ann'), 'y', 'result 49, invalid credentials'],
    [personDn('nobody'), 'x', 'result 49, invalid credentials'],
    ['no name of an entry', 'x', 'result 34, invalid DN'],
    [personDn('ann'), '', 'no name or no password'],
    ['', 'x', 'no name or no password'],
  ])('does not accept %j with the password %j', async (dn, password, said) => {
    using connection = await connectLdap(server())
    await connection.secure()
    expect(await connection.bind(dn, password)).toEqual({ isAccepted: false, said })
  })

  it.each(Object.entries(PEOPLE))(
    'finds %j, whatever letters the name has, and accepts the password',
    async (uid, password) => {
      const [entry, ...others] = await dnsBy('(&(objectClass=inetOrgPerson)(uid={name}))', { name: uid })
      expect(others).toEqual([])
      expect(entry?.attributes.get('uid')?.map(String)).toEqual([uid])
      expect(ldapIdText('entryUUID', entry?.attributes.get('entryuuid')?.[0] ?? Buffer.alloc(0))).toMatch(
        /^[0-9a-f-]{36}$/,
      )
      using connection = await connectLdap(server())
      await connection.secure()
      expect(await connection.bind(entry?.dn ?? '', password)).toMatchObject({ isAccepted: true })
      // The name of the entry made of the name of the person is the same entry.
      expect(await connection.bind(ldapWith(personDn('{name}'), { name: uid }), password)).toMatchObject({
        isAccepted: true,
      })
    },
  )

  it.each(['*', 'a*', 'ann)(uid=*', '*)(objectClass=*', 'ann\0', '\\61nn', ')', '(', 'ann)(|(uid=boss'])(
    'finds nobody by the name %j',
    async (name) => {
      expect(await dnsBy('(uid={name})', { name })).toEqual([])
      expect(await dnsBy('(|(uid={name})(mail={name}))', { name })).toEqual([])
    },
  )

  it('finds the groups of an entry, also by a rule of matching', async () => {
    using connection = await connectLdap(server())
    await connection.secure()
    await connection.bind(READER.dn, READER.password)
    const groupsOf = async (filter: string, uid: string) => {
      const values = { dn: (await dnsBy('(uid={name})', { name: uid }))[0]?.dn ?? '' }
      const search = { base: 'dc=example,dc=org', filter: ldapWith(filter, values), attributes: ['cn'], limit: 10 }
      return (await connection.search(search)).entries.map(({ attributes }) => String(attributes.get('cn')?.[0])).sort()
    }
    expect(await groupsOf('(member={dn})', 'boss')).toEqual(['it-admins', 'staff'])
    expect(await groupsOf('(member:2.5.13.1:={dn})', 'o(brien)\\,=+')).toEqual(['staff'])
    expect(await groupsOf('(member={dn})', 'müller')).toEqual([])
  })

  it('says that there is more than was asked for, and counts where it was sent elsewhere', async () => {
    using connection = await connectLdap(server())
    await connection.secure()
    await connection.bind(READER.dn, READER.password)
    const people = { base: 'dc=example,dc=org', filter: '(objectClass=inetOrgPerson)', attributes: ['uid'] }
    const { entries, isCut } = await connection.search({ ...people, limit: 2 })
    expect([entries.length, isCut]).toEqual([2, true])
    expect(await connection.search({ ...people, limit: 50 })).toMatchObject({ isCut: false, references: 1 })
    const elsewhere = { ...people, base: 'ou=elsewhere,dc=example,dc=org', limit: 2 }
    await expect(connection.search(elsewhere)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('a referral to another server, which is not followed') as string,
    })
  })

  it('reads the identity that Active Directory keeps as bytes', async () => {
    using connection = await connectLdap(server())
    await connection.secure()
    await connection.bind(READER.dn, READER.password)
    const search = { ...PERSON, attributes: ['objectGUID'], filter: '(sAMAccountName=ANN)' }
    const [entry] = (await connection.search(search)).entries
    const value = entry?.attributes.get('objectguid')?.[0] ?? Buffer.alloc(0)
    expect(ldapIdText('objectGUID', value)).toBe('00112233-4455-6677-8899-001122334400')
  })

  it('ends when the directory does not answer in time, or is away', async () => {
    using connection = await connectLdap(server({ timeout: 300 }))
    await directory.freeze()
    await expect(connection.secure()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'no answer within 0.3 seconds',
    })
    directory.thaw()
    await directory.stop()
    await expect(connectLdap(server())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'it cannot be reached (ECONNREFUSED)',
    })
    await directory.start()
  })
})
