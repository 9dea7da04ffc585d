import { type Static, Type } from 'typebox'

const BYTES = Type.String({ maxLength: 16_384, pattern: '^[\\w-]*$' })
const CREDENTIAL = {
  id: Type.String({ minLength: 1, maxLength: 1364, pattern: '^[\\w-]+$' }),
  rawId: Type.String({ minLength: 1, maxLength: 1364, pattern: '^[\\w-]+$' }),
  type: Type.Literal('public-key'),
}

/** What a browser says of a new passkey: RegistrationResponseJSON of WebAuthn. */
export const Attestation = Type.Object({
  ...CREDENTIAL,
  response: Type.Object({
    clientDataJSON: BYTES,
    attestationObject: BYTES,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
})
export type Attestation = Static<typeof Attestation>

/** What a browser says with a passkey: AuthenticationResponseJSON of WebAuthn. */
export const Assertion = Type.Object({
  ...CREDENTIAL,
  response: Type.Object({
    clientDataJSON: BYTES,
    authenticatorData: BYTES,
    signature: BYTES,
    userHandle: Type.Optional(BYTES),
  }),
})
export type Assertion = Static<typeof Assertion>

/** What the browser is asked for: PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
export const PasskeyOptions = Type.Object(
  { challenge: Type.String() },
  { description: 'For the WebAuthn API of browsers' },
)
export type PasskeyOptions = Static<typeof PasskeyOptions>

/** One of these shows a second factor. */
export const FactorProof = {
  code: Type.Optional(Type.String({ maxLength: 32, description: 'Six digits of the authenticator app' })),
  recovery: Type.Optional(Type.String({ maxLength: 64, description: 'A recovery code' })),
  passkey: Type.Optional(Assertion),
}

/** Confirms a change of the account: the password, or a second factor. */
export const Confirmation = Type.Object({
  current_password: Type.Optional(Type.String({ maxLength: 4096 })),
  ...FactorProof,
})
export type Confirmation = Static<typeof Confirmation>
