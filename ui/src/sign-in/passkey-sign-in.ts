import { askPasskey, signInByPasskey } from '../../../src/api/accounts/auth.ts'
import type { Client } from '../api/client.ts'
import type { Session } from '../api/session.ts'
import { signWithPasskey } from '../api/passkeys.ts'

/** Signs in with a passkey alone. @throws ApiError; what the browser throws if the person cancels */
export async function enterByPasskey(client: Client, session: Session): Promise<void> {
  const passkey = await signWithPasskey(await client.call(askPasskey, { body: {} }))
  await session.signInWith(client.call(signInByPasskey, { body: { passkey } }))
}
