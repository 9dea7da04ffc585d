import { type Static, Type } from 'typebox'
import type { UserId } from '../ids.ts'

/** What a second step can be shown with. A recovery code stands in for either of the others. */
export const FACTORS = ['totp', 'passkey', 'recovery'] as const
export type Factor = (typeof FACTORS)[number]

export const MAX_PASSKEYS = 20
export const RECOVERY_CODES = 10
/** Devices that an account trusts; the oldest makes room for a new one. */
export const MAX_TRUSTED = 20

const PASSKEY_NAME = Type.String({ minLength: 1, maxLength: 64 })
/** A credential id has up to 1023 bytes. */
const PASSKEY_ID = Type.String({ minLength: 1, maxLength: 1364, pattern: '^[\\w-]+$' })

/** A passkey as it is stored. Times are in milliseconds since 1970. */
const Passkey = Type.Object({
  id: PASSKEY_ID,
  /** COSE, as base64url. */
  publicKey: Type.String({ maxLength: 8192 }),
  /** Of signatures; 0 for passkeys that do not count, such as those that are synchronized between devices. */
  counter: Type.Integer({ minimum: 0 }),
  transports: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 }),
  name: PASSKEY_NAME,
  createdAt: Type.Integer(),
  lastUsedAt: Type.Optional(Type.Integer()),
})
export type Passkey = Static<typeof Passkey>

/** A device that is not asked for the second step. It shows a secret, and this is what is kept of it. */
export const TrustedDevice = Type.Object({
  id: Type.String({ minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' }),
  /** SHA-256 of the secret. */
  hash: Type.String({ maxLength: 64 }),
  /** Of the account then: a new password ends the trust. */
  credentialsVersion: Type.Integer({ minimum: 0 }),
  userAgent: Type.String({ maxLength: 256 }),
  /** Milliseconds since 1970. */
  since: Type.Integer(),
  until: Type.Integer(),
})
export type TrustedDevice = Static<typeof TrustedDevice>

/** The second factors of an account, which has at least an authenticator app or a passkey. They never leave the services. */
export const Factors = Type.Object({
  /** How passkeys name the account: random, because whoever holds the device can read it. Also the salt of the recovery codes. */
  handle: Type.String({ minLength: 16, maxLength: 86 }),
  totp: Type.Optional(
    Type.Object({
      /** Base32. */
      secret: Type.String({ minLength: 16, maxLength: 128 }),
      /** The time step of the last code that was used: no code of that step or an earlier one works again. */
      lastStep: Type.Integer({ minimum: 0 }),
      confirmedAt: Type.Integer(),
    }),
  ),
  /** Hashes of the codes that are left. */
  recovery: Type.Array(Type.String({ maxLength: 128 }), { maxItems: RECOVERY_CODES }),
  passkeys: Type.Array(Passkey, { maxItems: MAX_PASSKEYS }),
  /** Absent without any. Another app or passkey ends them all. */
  trusted: Type.Optional(Type.Array(TrustedDevice, { maxItems: MAX_TRUSTED })),
})
export type Factors = Static<typeof Factors>

/** A passkey as its owner sees it. Times are RFC 3339. */
export const PasskeyView = Type.Object({
  id: PASSKEY_ID,
  name: PASSKEY_NAME,
  createdAt: Type.String(),
  lastUsedAt: Type.Optional(Type.String()),
})
export type PasskeyView = Static<typeof PasskeyView>

/** A trusted device as its owner sees it. Times are RFC 3339. */
export const TrustedDeviceView = Type.Object({
  id: TrustedDevice.properties.id,
  userAgent: Type.String(),
  since: Type.String(),
  until: Type.String(),
  current: Type.Boolean({ description: 'This session began on it' }),
})
export type TrustedDeviceView = Static<typeof TrustedDeviceView>

/** The second factors of an account as its owner sees them. Times are RFC 3339. */
export const FactorsView = Type.Object({
  totp: Type.Optional(Type.Object({ confirmedAt: Type.String() })),
  recoveryCodes: Type.Integer({ description: 'How many are left' }),
  passkeys: Type.Array(PasskeyView),
  trusted: Type.Array(TrustedDeviceView, { description: 'Devices that are not asked for the second step' }),
  confirmsBy: Type.Array(Type.Enum(['password', 'totp', 'recovery', 'passkey']), {
    description: 'What a change of this list may be confirmed with; empty if nothing is asked',
  }),
  required: Type.Optional(
    Type.Object(
      { due: Type.String(), isOver: Type.Boolean() },
      { description: 'Until when a second factor must be set up; absent if none is required, or there is one' },
    ),
  ),
})
export type FactorsView = Static<typeof FactorsView>

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'Each works once; they are never shown again' }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const NewTotp = Type.Object({
  secret: Type.String({ description: 'Base32' }),
  uri: Type.String({ description: 'For a QR code' }),
})
export type NewTotp = Static<typeof NewTotp>

export const PasskeyName = Type.Object({ name: PASSKEY_NAME })

/** What has been named: the factors that may complete a sign-in. */
export function factorsOf({ factors }: { readonly factors?: Factors | undefined }): Factor[] {
  if (factors === undefined) return []
  const { totp, passkeys, recovery } = factors
  const has: Readonly<Record<Factor, boolean>> = {
    totp: totp !== undefined,
    passkey: passkeys.length > 0,
    recovery: recovery.length > 0,
  }
  return FACTORS.filter((factor) => has[factor])
}

/** The account that a passkey belongs to, found by its random name. */
export function holderOf<U extends { readonly id: UserId; readonly factors?: Factors | undefined }>(
  users: readonly U[],
  handle: string,
): U | undefined {
  return users.find(({ factors }) => factors?.handle === handle)
}
