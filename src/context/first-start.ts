import { fail } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import { systemClock } from '../platform/clock.ts'
import { createPasswordHasher } from '../platform/password-hasher.ts'
import { firstAdministrator, initialDocument, type FirstAdministratorInput } from '../services/setup.ts'
import type { StoreDocument } from '../store/document.ts'
import { createStore, storeExists } from '../store/open-stores.ts'
import type { StoreLog } from '../store/store-log.ts'

/** Who shall be the first administrator; what is not given is made up. */
export type AccountInput = Pick<FirstAdministratorInput, 'username' | 'password' | 'passwordHash'>

/** The first administrator, as it was made. */
export interface NewAccount {
  readonly id: UserId
  readonly username: string
  /** Only when it was made up: to be shown once. */
  readonly password?: string
}

export interface FirstDocument {
  readonly document: StoreDocument
  readonly account: NewAccount
}

/** The content of a new store. @throws INVALID_INPUT when name, password or hash cannot be used */
export async function firstDocument(input: AccountInput, server: Partial<ServerOptions>): Promise<FirstDocument> {
  const { user, generatedPassword } = await firstAdministrator(input, {
    hasher: createPasswordHasher(),
    clock: systemClock,
  })
  const password = generatedPassword === undefined ? {} : { password: generatedPassword }
  return {
    document: initialDocument({ admin: user, server }),
    account: { id: user.id, username: user.username, ...password },
  }
}

/** `filemgr init`. @throws CONFLICT when there is a store; INVALID_INPUT, STORE_INVALID, NO_SPACE */
export async function createFirstStore(
  folder: string,
  input: AccountInput,
  server: Partial<ServerOptions>,
  log: StoreLog,
): Promise<NewAccount> {
  await refuseExistingStore(folder)
  const { document, account } = await firstDocument(input, server)
  await createStore(folder, document, log)
  return account
}

/** @throws CONFLICT */
export async function refuseExistingStore(folder: string): Promise<void> {
  if (await storeExists(folder)) fail('CONFLICT', `There is a store in ${folder} already; nothing was changed.`)
}

/** Whether there is a store in a data folder. */
export async function hasStore(folder: string): Promise<boolean> {
  return await storeExists(folder)
}
