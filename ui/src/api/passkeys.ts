import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Assertion, Attestation, PasskeyOptions } from '../../../src/domain/accounts/passkey-messages.ts'

type MakingOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** The browser asks the person. @throws if they cancel, or the browser refuses */
export async function signWithPasskey(options: PasskeyOptions): Promise<Assertion> {
  return await startAuthentication({ optionsJSON: options })
}

/** @throws as `signWithPasskey` */
export async function makePasskey(options: PasskeyOptions): Promise<Attestation> {
  return await startRegistration({ optionsJSON: options as MakingOptions })
}
