import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { connectLdap, requireLdapFilter } from '../../../../src/platform/network/ldap/ldap-client.ts'
import { ldapIdText, ldapIdValue, ldapWith } from '../../../../src/platform/network/ldap/ldap-text.ts'

const TLS = join(import.meta.dirname, '../../../fixtures/tls')
const CERTIFICATE = readFileSync(join(TLS, 'tls.crt'), 'utf8')
const KEY = readFileSync(join(TLS, 'tls.key'), 'utf8')

const cleanUp = new Set<() => void>()
afterEach(() => {
  for (const close of cleanUp) close()
  cleanUp.clear()
})

/** One element of BER. */
const ber = (tag: number, ...content: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]), body])
}
const message = (id: number, operation: Buffer) => ber(0x30, ber(0x02, Buffer.from([id])), operation)
const result = (id: number, tag: number, code: number, said = '') =>
  message(id, ber(tag, ber(0x0a, Buffer.from([code])), ber(0x04), ber(0x04, said)))
const bindResult = (id: number, code: number, said?: string) => result(id, 0x61, code, said)
const entry = (id: number, dn: string, ...attributes: Buffer[]) =>
  message(id, ber(0x64, ber(0x04, dn), ber(0x30, ...attributes)))

/** A server that sends these answers, one to each piece of what it gets. @returns its address */
async function serverOf(...answers: (Buffer | ((socket: Socket) => void))[]): Promise<string> {
  const server = createServer((socket) => {
    const left = [...answers]
    socket.on('error', () => undefined)
    socket.on('data', () => {
      const answer = left.shift()
      if (typeof answer === 'function') answer(socket)
      else if (answer !== undefined) socket.write(answer)
    })
    cleanUp.add(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  cleanUp.add(() => server.close())
  await once(server, 'listening')
  return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What an attempt to sign in at such a server comes to. */
async function bindAt(url: string, startTls = false) {
  using connection = await connectLdap({ url, startTls, caFile: join(TLS, 'tls.crt'), timeout: 2000 })
  await connection.secure()
  return await connection.bind('cn=ann', 'x')
}

async function searchAt(url: string, limit = 2) {
  using connection = await connectLdap({ url, startTls: false, caFile: '', timeout: 2000 })
  return await connection.search({ base: 'dc=example', filter: '(uid=ann)', attributes: ['uid'], limit })
}

const unavailable = (text: string) => ({ code: 'UNAVAILABLE', message: expect.stringContaining(text) as string })

describe('a connection to a directory', () => {
  it('takes nothing but success for a correct password', async () => {
    expect(await bindAt(await serverOf(bindResult(1, 0)))).toMatchObject({ isAccepted: true })
    expect(await bindAt(await serverOf(bindResult(1, 49)))).toMatchObject({ isAccepted: false })
    for (const code of [1, 2, 7, 8, 10, 13, 14, 51, 52, 80, 118])
      await expect(bindAt(await serverOf(bindResult(1, code)))).rejects.toMatchObject(unavailable(`result ${code}`))
  })

  it('says what Active Directory means by a refusal', async () => {
    const said = '80090308: LdapErr: DSID-0C09042A, comment: AcceptSecurityContext error, data 533, v4563\0'
    expect(await bindAt(await serverOf(bindResult(1, 49, said)))).toEqual({
      isAccepted: false,
      said: 'result 49, invalid credentials, the account is disabled',
    })
  })

  it.each([
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'does not speak LDAP'],
    ['no end of a length', Buffer.from([0x30, 0x80, 0x02, 0x01]), 'does not speak LDAP'],
    ['a length of five bytes', Buffer.from([0x30, 0x85, 0, 0, 0, 0, 1]), 'does not speak LDAP'],
    [
      'an element that is longer than the message',
      Buffer.from([0x30, 0x05, 0x02, 0x01, 1, 0x61, 0x7f]),
      'does not speak LDAP',
    ],
    ['half a length at the end', message(1, ber(0x61, Buffer.from([0x04, 0x84]))), 'does not speak LDAP'],
    ['no result', message(1, ber(0x61)), 'does not speak LDAP'],
    ['an empty result', message(1, ber(0x61, ber(0x0a), ber(0x04), ber(0x04))), 'does not speak LDAP'],
    ['a result of another operation', result(1, 0x65, 0), 'another question'],
    ['the answer to another request', bindResult(2, 0), 'another question'],
    ['that it ends', result(0, 0x78, 52), 'ended the connection'],
  ])('refuses %s', async (_, answer, text) => {
    await expect(bindAt(await serverOf(answer))).rejects.toMatchObject(unavailable(text))
  })

  it('refuses an entry whose attributes are malformed', async () => {
    const broken = entry(1, 'cn=ann', ber(0x30, ber(0x04, 'uid'), Buffer.from([0x31, 0x04, 0x04, 0x84])))
    await expect(searchAt(await serverOf(broken))).rejects.toMatchObject(unavailable('does not speak LDAP'))
  })

  it('reads answers in pieces, and many in one piece', async () => {
    const whole = bindResult(1, 0)
    const slow = await serverOf((socket) => {
      socket.write(whole.subarray(0, 3))
      setTimeout(() => socket.write(whole.subarray(3)), 20)
    })
    expect(await bindAt(slow)).toMatchObject({ isAccepted: true })
    const references = Array.from({ length: 5000 }, () => message(1, ber(0x73, ber(0x04, 'ldap://x'))))
    const many = Buffer.concat([...references, entry(1, 'cn=ann'), result(1, 0x65, 0)])
    expect(await searchAt(await serverOf(many))).toMatchObject({ references: 5000, entries: [{ dn: 'cn=ann' }] })
  })

  it('refuses more entries than it asked for, and endless answers', async () => {
    const three = Buffer.concat(['a', 'b', 'c'].map((name) => entry(1, `cn=${name}`)))
    await expect(searchAt(await serverOf(three))).rejects.toMatchObject(unavailable('more than it was asked for'))
    const endless = await serverOf((socket) => {
      socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))
      const pour = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
      }
      socket.on('drain', pour)
      pour()
    })
    await expect(searchAt(endless)).rejects.toMatchObject(unavailable('too long'))
  })

  it('ends when the directory closes the connection, and in time when it says nothing', async () => {
    await expect(bindAt(await serverOf((socket) => socket.end()))).rejects.toMatchObject(unavailable('was closed'))
    await expect(bindAt(await serverOf())).rejects.toMatchObject(unavailable('no answer within 2 seconds'))
  })
})

describe('StartTLS', () => {
  const accepted = result(1, 0x78, 0)
  /** Answers by TLS. */
  const secured = (answer: Buffer) => (socket: Socket) => {
    socket.removeAllListeners('data')
    const secure = new TLSSocket(socket, { isServer: true, cert: CERTIFICATE, key: KEY })
    secure.on('error', () => undefined)
    secure.on('data', () => secure.write(answer))
    socket.write(accepted)
  }

  it('encrypts the password', async () => {
    expect(await bindAt(await serverOf(secured(bindResult(2, 49))), true)).toMatchObject({ isAccepted: false })
  })

  it.each([
    ['it is refused', result(1, 0x78, 2, 'unsupported'), 'refuses StartTLS'],
    ['the answer is no answer to it', bindResult(1, 0), 'another question'],
    ['no TLS follows', accepted, 'does not speak TLS'],
  ])('is no way in if %s', async (_, answer, text) => {
    await expect(bindAt(await serverOf(answer, bindResult(2, 0)), true)).rejects.toMatchObject(unavailable(text))
  })

  it('is no way in for an answer that was put into the clear text', async () => {
    const forged = bindResult(2, 0)
    // The second is the beginning of a message, which what comes by TLS would complete.
    for (const put of [forged, forged.subarray(0, 8), Buffer.from([0x30])]) {
      const url = await serverOf((socket) => {
        socket.removeAllListeners('data')
        socket.write(Buffer.concat([accepted, put]))
        const secure = new TLSSocket(socket, { isServer: true, cert: CERTIFICATE, key: KEY })
        secure.on('error', () => undefined)
        secure.on('data', () => secure.write(bindResult(2, 49)))
      })
      await expect(bindAt(url, true)).rejects.toMatchObject(unavailable('between StartTLS and TLS'))
    }
  })

  it('is no way in for an answer in clear text that comes a moment later', async () => {
    const url = await serverOf((socket) => {
      socket.removeAllListeners('data')
      socket.write(accepted)
      setImmediate(() => socket.write(bindResult(2, 0)))
    })
    await expect(bindAt(url, true)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('needs a certificate of the authority', async () => {
    const url = await serverOf(secured(bindResult(2, 0)))
    using connection = await connectLdap({ url, startTls: true, caFile: '', timeout: 2000 })
    await expect(connection.secure()).rejects.toMatchObject(unavailable('certificate is not trusted'))
    using other = await connectLdap({
      url: url.replace('127.0.0.1', 'localhost'),
      startTls: true,
      caFile: join(TLS, 'tls.crt'),
      timeout: 2000,
    })
    await expect(other.secure()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('values in filters and names', () => {
  it.each([
    ['(uid={name})', '*', String.raw`(uid=\2a)`],
    ['(uid={name})', 'a)(b', String.raw`(uid=a\29\28b)`],
    ['(uid={name})', 'a\\b\0', String.raw`(uid=a\5cb\00)`],
    ['(uid={name})', ' ann ', String.raw`(uid=\20ann\20)`],
    ['(uid={name})', 'müller@例.org', '(uid=müller@例.org)'],
    ['(uid={name})', '{name}', String.raw`(uid=\7bname\7d)`],
    ['(uid={name})', '$&$1', String.raw`(uid=\24\26\241)`],
    ['uid={name},dc=x', 'a,ou=admins', String.raw`uid=a\2cou\3dadmins,dc=x`],
    ['uid={name},dc=x', '#a+b="c"<d>;', String.raw`uid=\23a\2bb\3d\22c\22\3cd\3e\3b,dc=x`],
    ['{name}@example.org', "o'brien", "o'brien@example.org"],
    ['{name}@example.org', 'Ann Berg (office)', 'Ann Berg (office)@example.org'],
    ['(a={other})', 'x', '(a={other})'],
  ])('puts into %j the name %j', (template, name, expected) => {
    expect(ldapWith(template, { name })).toBe(expected)
  })

  it.each(['', 'uid', '(uid=ann', '((uid=a))', '(uid=a)(b=c)', '(&)', String.raw`(uid=\zz)`, '(u id=a)'])(
    'does not take %j for a filter',
    async (filter) => {
      await expect(requireLdapFilter(filter, 'userFilter')).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'userFilter' },
      })
    },
  )

  it.each([
    '(uid={name})',
    '(&(objectClass=person)(|(uid={name})(mail={name})))',
    '(member:1.2.840.113556.1.4.1941:={dn})',
  ])('takes %j for one', async (filter) => {
    await requireLdapFilter(filter, 'userFilter')
  })

  it.each([
    ['entryUUID', Buffer.from('f81d4fae-7dec'), 'f81d4fae-7dec'],
    ['objectGUID', Buffer.from('33221100554477668899aabbccddeeff', 'hex'), '00112233-4455-6677-8899-aabbccddeeff'],
    ['GUID', Buffer.from([0, 0xff]), '#00ff'],
    ['uid', Buffer.from('#00ff'), '#2330306666'],
    ['uid', Buffer.from('müller'), '#6dc3bc6c6c6572'],
  ])('write the %s that identifies an entry as text, and back', (attribute, value, text) => {
    expect(ldapIdText(attribute, value)).toBe(text)
    expect(ldapIdValue(attribute, text)).toEqual(value)
  })
})
