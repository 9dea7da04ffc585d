import { type Actor, requireAdmin, requireSignedIn, type SignedIn } from '../../../domain/accounts/actor.ts'
import {
  type Factors as StoredFactors,
  type FactorsView,
  MAX_PASSKEYS,
  type NewTotp,
  type Passkey,
  type PasskeyView,
  type RecoveryCodes,
} from '../../../domain/accounts/factors.ts'
import type { Attestation, Confirmation, PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import { hasControls } from '../../../domain/text/printable.ts'
import type { Clock } from '../../../platform/clock.ts'
import { askForPasskey, checkNewPasskey, type PasskeySite } from '../../../platform/security/passkeys.ts'
import type { Random } from '../../../platform/security/random.ts'
import { newTotpSecret, totpStep, totpUri } from '../../../platform/security/totp.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { SharedFacts, Store } from '../../../store/store.ts'
import { replaceUser, requireUser } from '../../stored-users.ts'
import type { ConfirmPassword } from '../auth/passwords.ts'
import type { SessionBook } from '../sessions/sessions.ts'
import type { ConfirmChange } from './confirm-change.ts'
import { withPasskey } from './factor-check.ts'
import type { FactorRequirement } from './factor-requirement.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { newRecovery, type Recovery } from './new-recovery.ts'
import { forgetDevices, type TrustedDevices } from './trusted-devices.ts'

export interface FactorsDeps {
  readonly store: Store<StoreDocument>
  readonly facts: SharedFacts
  readonly sessions: SessionBook
  readonly challenges: PasskeyChallenges
  readonly trusted: TrustedDevices
  readonly requirement: FactorRequirement
  readonly confirmChange: ConfirmChange
  readonly confirm: ConfirmPassword
  readonly clock: Clock
  readonly random: Random
}

/** An authenticator app that is being set up. */
interface Setup {
  readonly secret: string
  /** Once a code of it was right. */
  readonly checked?: { readonly step: number; readonly recovery?: Recovery }
}

/** Milliseconds. */
const SETUP_TIME = 30 * 60_000
const HANDLE_BYTES = 32

/**
 * The second factors of an account. Only its owner, who is signed in and confirms each change, and the operator and administrators,
 * who can only remove all of them.
 */
export function createFactors(deps: FactorsDeps) {
  const {
    store,
    facts: shared,
    sessions,
    challenges,
    trusted,
    requirement,
    confirmChange,
    confirm,
    clock,
    random,
  } = deps
  const product = () => store.snapshot().settings.branding.name || 'filemgr'
  const setupKey = ({ id, session }: SignedIn) => `factor-setup/${id}/${session.family}`

  /**
   * The first factor of an account signs its other devices out: they were signed in without it.
   *
   * @returns false if nothing was to be changed
   */
  const change = async (
    actor: SignedIn,
    next: (factors: StoredFactors | undefined, now: Readonly<StoreDocument>) => StoredFactors | undefined,
  ): Promise<void> => {
    const { before, after } = await store.update((draft, now) => {
      actor.user(now)
      const stored = requireUser(now, actor.id)
      const factors = next(stored.factors, now)
      const changed = withFactors(stored, factors, clock.now())
      if (factors === undefined) requirement.requireMayLack(changed, now, actor.session)
      replaceUser(draft, now, stored, changed)
      return { before: stored, after: changed }
    })
    if (after.credentialsVersion !== before.credentialsVersion) await sessions.endOthers(after, actor.session.family)
  }

  const setupOf = async (actor: SignedIn): Promise<Setup> => {
    const key = setupKey(actor)
    const found = (await shared.change([key], (facts) => facts.get(key))) as Setup | undefined
    return found ?? fail('CONFLICT', 'this took too long; begin again', { reason: 'setupOver' })
  }

  const keepSetup = async (actor: SignedIn, setup: Setup): Promise<void> => {
    const key = setupKey(actor)
    await shared.change([key], (facts) => facts.set(key, setup, SETUP_TIME))
  }

  return {
    /** @throws FORBIDDEN for an API token */
    view(actor: Actor): FactorsView {
      const owner = ownerOf(actor)
      const { factors, passwordHash } = owner.user()
      const required = requirement.dueOf(owner.user(), owner.session)
      return {
        ...(factors?.totp && { totp: { confirmedAt: isoOf(factors.totp.confirmedAt) } }),
        recoveryCodes: factors?.recovery.length ?? 0,
        passkeys: (factors?.passkeys ?? []).map(viewOf),
        trusted: trusted.list(owner.user(), owner.session),
        confirmsBy: confirmChange.ways({ factors, passwordHash }),
        ...(required && { required: { due: isoOf(required.due), isOver: required.isOver } }),
      }
    },

    /** Begins to set up an authenticator app, which replaces the one that there is. */
    async beginTotp(actor: Actor, confirmation: Confirmation, site: PasskeySite): Promise<NewTotp> {
      const owner = ownerOf(actor)
      await confirmChange.require(owner, confirmation, site)
      const secret = await newTotpSecret()
      await keepSetup(owner, { secret })
      return { secret, uri: await totpUri(secret, product(), owner.user().username) }
    },

    /** Checks that the app shows the right codes. @returns recovery codes, which are none if there are some from before */
    async checkTotp(actor: Actor, code: string): Promise<RecoveryCodes> {
      const owner = ownerOf(actor)
      const { secret } = await setupOf(owner)
      const step = await totpStep(secret, code, clock.now())
      if (step === undefined) return fail('INVALID_INPUT', 'the code is wrong', { field: 'code' })
      if (owner.user().factors !== undefined) {
        await keepSetup(owner, { secret, checked: { step } })
        return { recoveryCodes: [] }
      }
      const { codes, ...recovery } = await newRecovery(random, random.token(HANDLE_BYTES))
      await keepSetup(owner, { secret, checked: { step, recovery } })
      return { recoveryCodes: [...codes] }
    },

    /** Turns on the app that was checked. @throws CONFLICT if none was */
    async enableTotp(actor: Actor): Promise<void> {
      const owner = ownerOf(actor)
      const { secret, checked } = await setupOf(owner)
      if (checked === undefined) fail('CONFLICT', 'type a code of the app first', { reason: 'setupOver' })
      const totp = { secret, lastStep: checked.step, confirmedAt: clock.now() }
      await change(owner, (factors) => {
        const others = factors ?? firstFactors(checked.recovery)
        return { ...others, totp }
      })
      const key = setupKey(owner)
      await shared.change([key], (facts) => facts.remove(key))
    },

    /** @throws FORBIDDEN if it is the last factor and one is required */
    async removeTotp(actor: Actor, confirmation: Confirmation, site: PasskeySite): Promise<void> {
      const owner = ownerOf(actor)
      await confirmChange.require(owner, confirmation, site)
      await change(owner, (factors) => factors && unlessEmpty(withoutTotp(factors)))
    },

    async beginPasskey(actor: Actor, confirmation: Confirmation, site: PasskeySite): Promise<PasskeyOptions> {
      const owner = ownerOf(actor)
      await confirmChange.require(owner, confirmation, site)
      const { factors, username } = owner.user()
      if ((factors?.passkeys.length ?? 0) >= MAX_PASSKEYS) tooMany()
      const handle = factors?.handle ?? random.token(HANDLE_BYTES)
      const options = await askForPasskey({
        site,
        product: product(),
        username,
        handle,
        known: factors?.passkeys ?? [],
      })
      const question = { kind: 'add', session: owner.session.family, userId: owner.id, handle } as const
      return await challenges.asked(question, options)
    },

    /** @returns recovery codes if it is the first factor */
    async addPasskey(actor: Actor, name: string, attestation: Attestation, site: PasskeySite): Promise<RecoveryCodes> {
      const owner = ownerOf(actor)
      const usable = usableName(name)
      const answered = await challenges.answered('add', attestation)
      const question = answered?.question
      if (answered === undefined || question?.userId !== owner.id || question.session !== owner.session.family)
        return fail('CONFLICT', 'this took too long; begin again', { reason: 'setupOver' })
      const checked = await checkNewPasskey(site, answered.challenge, attestation)
      if (checked === undefined) return fail('INVALID_INPUT', 'the passkey is not valid', { field: 'passkey' })
      const passkey: Passkey = { ...checked, name: usable, createdAt: clock.now() }
      const first = owner.user().factors === undefined ? await newRecovery(random, question.handle) : undefined
      await change(owner, (factors, now) => {
        const known = factors ?? firstFactors(first)
        // Passkeys know the account by the name that they were made for.
        if (known.handle !== question.handle)
          fail('CONFLICT', 'this took too long; begin again', { reason: 'setupOver' })
        if (known.passkeys.length >= MAX_PASSKEYS) tooMany()
        if (now.users.some((user) => user.factors?.passkeys.some(({ id }) => id === passkey.id) === true))
          fail('CONFLICT', 'this passkey is known already', { reason: 'passkeyTaken' })
        return { ...known, passkeys: [...known.passkeys, passkey] }
      })
      return { recoveryCodes: [...(first?.codes ?? [])] }
    },

    /** @throws NOT_FOUND */
    async renamePasskey(actor: Actor, id: string, name: string): Promise<void> {
      const usable = usableName(name)
      await change(ownerOf(actor), (factors) => withPasskey(...namedIn(factors, id, usable)))
    },

    /** @throws NOT_FOUND; FORBIDDEN if it is the last factor and one is required */
    async removePasskey(actor: Actor, id: string, confirmation: Confirmation, site: PasskeySite): Promise<void> {
      const owner = ownerOf(actor)
      await confirmChange.require(owner, confirmation, site)
      await change(owner, (factors) => {
        const [known, passkey] = namedIn(factors, id)
        return unlessEmpty({ ...known, passkeys: known.passkeys.filter((each) => each !== passkey) })
      })
    },

    /** New recovery codes in the place of those that are left. @throws CONFLICT without a factor */
    async renewRecovery(actor: Actor, confirmation: Confirmation, site: PasskeySite): Promise<RecoveryCodes> {
      const owner = ownerOf(actor)
      await confirmChange.require(owner, confirmation, site)
      const handle = owner.user().factors?.handle
      if (handle === undefined) return fail('CONFLICT', 'set up an authenticator app or a passkey first')
      const { codes, hashes } = await newRecovery(random, handle)
      await change(owner, (factors) => {
        if (factors?.handle !== handle) return fail('CONFLICT', 'the factors have changed meanwhile; try again')
        return { ...factors, recovery: hashes }
      })
      return { recoveryCodes: [...codes] }
    },

    /** A trusted device is asked for the second step again. @throws NOT_FOUND */
    async forgetDevice(actor: Actor, id: string): Promise<void> {
      const owner = ownerOf(actor)
      const isThere = trusted.list(owner.user(), owner.session).some((device) => device.id === id)
      if (!isThere) fail('NOT_FOUND', 'there is no such device')
      await forgetDevices(store, (device, user) => user === owner.id && device.id === id)
    },

    /** Removes all factors of an account, whose devices must sign in again. @throws FORBIDDEN, NOT_FOUND; as `confirm` */
    async reset(actor: Actor, id: UserId, currentPassword?: string): Promise<void> {
      requireSignedIn(actor)
      requireAdmin(actor, 'users.manage')
      await confirm(actor, currentPassword)
      await store.update((draft, now) => {
        requireAdmin(actor, 'users.manage', now)
        const stored = requireUser(now, id)
        const { factors: _gone, ...rest } = stored
        const credentialsVersion = stored.credentialsVersion + 1
        replaceUser(draft, now, stored, { ...rest, credentialsVersion, updatedAt: clock.now() })
      })
      await sessions.endAllOf(id)
    },
  }
}

/** @throws FORBIDDEN for an API token and the operator */
function ownerOf(actor: Actor): SignedIn {
  requireSignedIn(actor)
  return actor.kind === 'user' ? actor : fail('FORBIDDEN', 'only people who are signed in have factors')
}

function withFactors({ factors: before, ...user }: User, factors: StoredFactors | undefined, now: number): User {
  const isFirst = before === undefined && factors !== undefined
  return {
    ...user,
    ...(factors && { factors: isSameSet(before, factors) ? factors : withoutTrust(factors) }),
    ...(isFirst && { credentialsVersion: user.credentialsVersion + 1 }),
    updatedAt: now,
  }
}

/** Whether no app and no passkey was added or removed: trusted devices have shown one of those that there were. */
function isSameSet(before: StoredFactors | undefined, { totp, passkeys }: StoredFactors): boolean {
  const known = before?.passkeys ?? []
  return (
    before?.totp?.secret === totp?.secret &&
    known.length === passkeys.length &&
    known.every(({ id }, at) => id === passkeys[at]?.id)
  )
}

function withoutTrust({ trusted: _gone, ...factors }: StoredFactors): StoredFactors {
  return factors
}

function firstFactors(recovery: Recovery | undefined): StoredFactors {
  if (recovery === undefined)
    return fail('CONFLICT', 'the factors have changed meanwhile; begin again', { reason: 'setupOver' })
  return { handle: recovery.handle, recovery: [...recovery.hashes], passkeys: [] }
}

function withoutTotp({ totp: _gone, ...factors }: StoredFactors): StoredFactors {
  return factors
}

/** Recovery codes are nothing without a factor that they stand in for. */
function unlessEmpty(factors: StoredFactors): StoredFactors | undefined {
  return factors.totp === undefined && factors.passkeys.length === 0 ? undefined : factors
}

function namedIn(factors: StoredFactors | undefined, id: string, name?: string): [StoredFactors, Passkey] {
  const passkey = factors?.passkeys.find((each) => each.id === id)
  if (factors === undefined || passkey === undefined) return fail('NOT_FOUND', 'there is no such passkey')
  return [factors, name === undefined ? passkey : { ...passkey, name }]
}

function usableName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || hasControls(trimmed))
    fail('INVALID_INPUT', 'a passkey needs a name of one line', { field: 'name' })
  return trimmed
}

function tooMany(): never {
  return fail('CONFLICT', `an account can have at most ${MAX_PASSKEYS} passkeys; remove some first`, {
    reason: 'maximum',
  })
}

function viewOf({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: isoOf(createdAt), ...(lastUsedAt !== undefined && { lastUsedAt: isoOf(lastUsedAt) }) }
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}
