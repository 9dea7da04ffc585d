import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { BerReader, BerWriter } from 'ldapts'

export interface FakePerson {
  readonly password: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/** A directory in clear text with some people by their uid, for tests that need no real one. */
export interface FakeDirectory extends AsyncDisposable {
  readonly url: string
  /** The names that have bound, or tried to. */
  readonly bound: readonly string[]
}

export const FAKE_READER = { dn: 'cn=reader', password: 'password of the reader' }

const TAGS = { bind: 0x60, bound: 0x61, search: 0x63, entry: 0x64, done: 0x65 }
const INVALID_CREDENTIALS = 49

export async function startFakeDirectory(people: Readonly<Record<string, FakePerson>>): Promise<FakeDirectory> {
  const bound: string[] = []

  const answersTo = (message: Buffer): Buffer[] => {
    const reader = new BerReader(message)
    reader.readSequence()
    const id = reader.readInt() ?? 0
    const tag = reader.readSequence()
    if (tag === TAGS.bind) {
      reader.readInt()
      const [dn, password] = [reader.readString() ?? '', reader.readString(0x80)]
      bound.push(dn)
      const known = dn === FAKE_READER.dn ? FAKE_READER.password : people[/^uid=(.*)$/.exec(dn)?.[1] ?? '']?.password
      return [result(id, TAGS.bound, password === known && password !== '' ? 0 : INVALID_CREDENTIALS)]
    }
    if (tag !== TAGS.search) return []
    // The value of a filter of one equality, such as (uid=ann), is beneath its attribute.
    const name = Object.keys(people).find((uid) =>
      message.includes(`uid\u0004${String.fromCharCode(uid.length)}${uid}`),
    )
    const found = name === undefined ? undefined : people[name]
    const entries =
      found === undefined ? [] : [entry(id, `uid=${name ?? ''}`, { uid: [name ?? ''], ...found.attributes })]
    return [...entries, result(id, TAGS.done, 0)]
  }

  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (message) => {
      for (const answer of answersTo(message)) socket.write(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bound,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

function result(id: number, tag: number, code: number): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(tag)
  writer.writeEnumeration(code)
  writer.writeString('')
  writer.writeString('')
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

function entry(id: number, dn: string, attributes: FakePerson['attributes']): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(TAGS.entry)
  writer.writeString(dn)
  writer.startSequence()
  for (const [name, values] of Object.entries(attributes)) {
    writer.startSequence()
    writer.writeString(name)
    writer.startSequence(0x31)
    for (const value of values) writer.writeString(value)
    writer.endSequence()
    writer.endSequence()
  }
  writer.endSequence()
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}
