import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id?: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

interface Signing {
  readonly origin?: string
  /** Whether the device has checked the person. */
  readonly isVerified?: boolean
}

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** An authenticator in software: one passkey (ES256), which counts its signatures. */
export function softPasskey({ origin = 'http://localhost', counts = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let handle = ''
  let counter = 0

  const dataFor = (host: string, isVerified: boolean, rest: Uint8Array = Buffer.alloc(0)) => {
    if (counts) counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (rest.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest])
  }

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  const common = { id: url(id), rawId: url(id), type: 'public-key' as const }

  return {
    id: common.id,
    /** Goes back to an earlier number, as a copy would. */
    rewind: (by: number) => void (counter -= by),

    /** Answers a request for a new passkey. */
    make({ challenge, rp, user }: Options, { origin: from = origin, isVerified = true }: Signing = {}) {
      handle = user?.id ?? ''
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = dataFor(rp?.id ?? 'localhost', isVerified, credential)
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return {
        ...common,
        response: {
          clientDataJSON: url(clientData('webauthn.create', challenge, from)),
          attestationObject: url(attestationObject),
          transports: ['internal'],
        },
      }
    },

    /** Answers a request to sign. */
    sign({ challenge, rpId }: Options, { origin: from = origin, isVerified = true }: Signing = {}) {
      const data = dataFor(rpId ?? 'localhost', isVerified)
      const client = clientData('webauthn.get', challenge, from)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: url(client),
          authenticatorData: url(data),
          signature: url(signature),
          userHandle: handle,
        },
      }
    },
  }
}

export type SoftPasskey = ReturnType<typeof softPasskey>
