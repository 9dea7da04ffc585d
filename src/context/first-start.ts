import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { fail } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { systemClock } from '../platform/clock.ts'
import { createPasswordHasher } from '../platform/security/password-hasher.ts'
import { firstAdministrator, type FirstAdministratorInput, initialDocument } from '../services/server/setup.ts'
import type { StoreDocument } from '../store/document.ts'
import { memoryStores } from '../store/open-stores.ts'
import { createStoreAt, storeExistsAt, type StoreLocation } from '../store/location.ts'
import type { StoreLog } from '../store/store.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { createValueCheck } from '../platform/validation/value-check.ts'
import { writeAtomic } from '../store/disk/atomic-file.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import { createContext } from '../context.ts'
import { OPERATOR } from '../domain/accounts/actor.ts'
import type { Settings } from '../domain/settings/settings.ts'
import { storeName } from '../domain/server/store-url.ts'
import type { DeepPartial } from '../domain/schema/schema-tools.ts'

/** The first administrator; missing values are generated. */
export type AccountInput = Pick<FirstAdministratorInput, 'username' | 'password' | 'passwordHash'>

export interface NewAccount {
  readonly id: UserId
  readonly username: string
  /** Only if it was generated; to be shown once. */
  readonly password?: string
}

export interface FirstDocument {
  readonly document: StoreDocument
  readonly account: NewAccount
}

/** The content of a new store. @throws INVALID_INPUT for an invalid name, password or hash */
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
  location: StoreLocation,
  input: AccountInput,
  server: Partial<ServerOptions>,
  log: StoreLog,
): Promise<NewAccount> {
  await refuseExistingStore(location)
  const { document, account } = await firstDocument(input, server)
  await createStoreAt(location, document, log)
  return account
}

/** @throws CONFLICT */
export async function refuseExistingStore(location: StoreLocation): Promise<void> {
  if (await storeExistsAt(location))
    fail('CONFLICT', `There is a store in ${storeName(location)} already; nothing was changed.`)
}

export async function hasStore(location: StoreLocation): Promise<boolean> {
  return await storeExistsAt(location)
}

/** The generated password of a first start, kept until it is shown: the start may fail or be killed before. */
const FirstPassword = Type.Object({ password: Type.String(), passwordHash: Type.String() })
const check = createValueCheck(FirstPassword)

const pathIn = (folder: string) => join(folder, 'first-password.json')

/** Readable by its owner only. A given password is not kept. */
export async function keepFirstPassword(folder: string, { account, document }: FirstDocument): Promise<void> {
  const passwordHash = document.users.find(({ id }) => id === account.id)?.passwordHash
  if (account.password === undefined) return
  await writeAtomic(pathIn(folder), Buffer.from(JSON.stringify({ password: account.password, passwordHash })))
}

/** The account whose generated password has not been shown yet. */
export async function unseenAccount(
  folder: string,
  { users }: Pick<StoreDocument, 'users'>,
): Promise<NewAccount | undefined> {
  const text = await unlessErrno(readFile(pathIn(folder), 'utf8'), 'ENOENT')
  const kept = parseJson(text ?? '')
  if (!check.accepts(kept, 0)) return undefined
  // The store or the password has changed since: this password is void.
  const user = users.find(({ passwordHash }) => passwordHash === kept.passwordHash)
  return user && { id: user.id, username: user.username, password: kept.password }
}

/** Call this once the password has been shown. */
export async function forgetFirstPassword(folder: string): Promise<void> {
  await rm(pathIn(folder), { force: true })
}

export interface EmptyStoreInput {
  /** The values that will be in force. */
  readonly options: ServerOptions
  /** The values to save. */
  readonly server: Partial<ServerOptions>
  /** Changes to the default settings. */
  readonly settings: DeepPartial<Settings>
}

/**
 * A store without accounts, for scripts that add them afterwards. All values are checked before anything is written.
 *
 * @throws CONFLICT when there is a store; INVALID_INPUT, STORE_INVALID, NO_SPACE
 */
export async function createEmptyStore(
  location: StoreLocation,
  { options, server, settings }: EmptyStoreInput,
  log: StoreLog,
): Promise<void> {
  await refuseExistingStore(location)
  const stores = memoryStores(initialDocument({ server }))
  await using context = await createContext({ options, stores })
  await context.services.settings.patch(OPERATOR, settings)
  await createStoreAt(location, structuredClone(context.store.snapshot()), log)
}
