import { expect, it } from 'vitest'
import { softPasskey } from '../helpers/api/soft-passkey.ts'
import { sampleDocument } from '../contract/store/samples.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { User } from '../../src/domain/accounts/user.ts'
import { hashRecoveryCode } from '../../src/platform/security/recovery-codes.ts'
import { systemRandom } from '../../src/platform/security/random.ts'
import { createThrottle } from '../../src/services/accounts/auth/throttle.ts'
import { createFactorCheck } from '../../src/services/accounts/factors/factor-check.ts'
import { createPasskeyChallenges } from '../../src/services/accounts/factors/passkey-challenges.ts'
import { createSecondStep } from '../../src/services/accounts/factors/second-step.ts'
import { createTrustedDevices, forgetDevices } from '../../src/services/accounts/factors/trusted-devices.ts'
import { eventually } from '../helpers/patience.ts'
import { Secret, TOTP } from 'otpauth'
import { clusterOfFile } from './opened.ts'

const { created, node } = clusterOfFile()

const SECRET = new Secret({ size: 20 }).base32
const HANDLE = 'a random name of the account'
const RECOVERY = '4k7p-9wqd-tm2x'
const SITE = { origin: 'http://localhost', host: 'localhost' }
const CLIENT = { address: '198.51.100.7', userAgent: 'test' }

/** Two daemons with an account that has an authenticator app and a recovery code. */
async function pair() {
  const document = sampleDocument()
  const [first] = document.users
  if (first === undefined) throw new Error('no account')
  first.factors = {
    handle: HANDLE,
    totp: { secret: SECRET, lastStep: 0, confirmedAt: 0 },
    recovery: [await hashRecoveryCode(RECOVERY, HANDLE)],
    passkeys: [],
  }
  const url = await created(document)
  const daemons = await Promise.all(
    [1, 2].map(async () => {
      const { store, shared } = await node(url)
      if (shared === undefined) throw new Error('nothing is shared')
      const { facts } = shared
      const check = createFactorCheck({ store, challenges: createPasskeyChallenges({ facts }), clock: systemClock })
      const throttle = createThrottle({ facts, clock: systemClock })
      const trusted = createTrustedDevices({ store, clock: systemClock, random: systemRandom })
      const step = createSecondStep({ store, facts, check, trusted, throttle, random: systemRandom })
      return { store, check, trusted, step }
    }),
  )
  const [one, two] = daemons
  if (one === undefined || two === undefined) throw new Error('two daemons are needed')
  const user = one.store.snapshot().users.find(({ id }) => id === first.id)
  if (user === undefined) throw new Error('no account')
  return { one, two, user }
}

const code = () => new TOTP({ secret: Secret.fromBase32(SECRET) }).generate()

async function begin(daemon: Awaited<ReturnType<typeof pair>>['one'], user: User): Promise<string> {
  const refusal: unknown = await daemon.step.require(user, { method: 'json' }).catch((error: unknown) => error)
  return (refusal as { details: { challenge: string } }).details.challenge
}

it('a code that both daemons get at the same time signs in once', async () => {
  const { one, two, user } = await pair()
  const sent = code()
  const results = await Promise.all([one, two, one, two].map(async ({ check }) => await check.byCode(user, sent)))
  expect(results.toSorted()).toEqual(['totp', 'used', 'used', 'used'])
  const codes = await Promise.all([one, two].map(async ({ check }) => await check.byRecovery(user, RECOVERY)))
  expect(codes.filter((result) => result === 'recovery')).toHaveLength(1)
})

it('what one daemon has begun is completed at the other, once', async () => {
  const { one, two, user } = await pair()
  const challenge = await begin(one, user)
  const proof = { recovery: RECOVERY }
  await expect(two.step.complete(challenge, proof, SITE, CLIENT)).resolves.toMatchObject({
    way: { factor: 'recovery' },
  })
  await expect(one.step.complete(challenge, { code: code() }, SITE, CLIENT)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
})

it('wrong codes at all daemons are counted together', async () => {
  const { one, two, user } = await pair()
  const challenge = await begin(one, user)
  for (let count = 0; count < 5; count += 1)
    await expect(
      (count % 2 === 0 ? one : two).step.complete(challenge, { recovery: 'wrong' }, SITE, CLIENT),
    ).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  await expect(two.step.complete(challenge, { recovery: RECOVERY }, SITE, CLIENT)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  })
})

it('a passkey signs the question of another daemon, once', async () => {
  const { one, two, user } = await pair()
  const key = softPasskey()
  const { response } = key.make({ challenge: 'bWFkZQ', rp: { id: 'localhost' }, user: { id: HANDLE } })
  const { checkNewPasskey } = await import('../../src/platform/security/passkeys.ts')
  const made = await checkNewPasskey(SITE, 'bWFkZQ', { id: key.id, rawId: key.id, type: 'public-key', response })
  if (made === undefined) throw new Error('the passkey is not valid')
  await one.store.update((draft) => {
    const factors = draft.users.find(({ id }) => id === user.id)?.factors
    factors?.passkeys.push({ ...made, name: 'key', createdAt: 0 })
  })
  await eventually(() =>
    expect(two.store.snapshot().users.find(({ id }) => id === user.id)?.factors?.passkeys).toHaveLength(1),
  )
  const signed = key.sign(await one.check.ask({ kind: 'sign-in' }, SITE))
  const found = await Promise.all([two, one, two].map(async ({ check }) => await check.byPasskeyAlone(signed, SITE)))
  expect(found.filter((each) => each?.id === user.id)).toHaveLength(1)
})

it('a device that one daemon trusts is known to the other, until either forgets it', async () => {
  const { one, two, user } = await pair()
  const trust = await one.trusted.trust(user, CLIENT)
  const client = { ...CLIENT, trustOf: () => trust?.secret }
  const known = ({ store, trusted }: typeof one) => {
    const now = store.snapshot().users.find(({ id }) => id === user.id)
    return now && trusted.find(now, client)?.id
  }
  expect([trust?.userId, known(one)]).toEqual([user.id, trust?.id])
  await eventually(() => expect(known(two)).toBe(trust?.id))
  await Promise.all([
    forgetDevices(two.store, (device, owner) => owner === user.id && device.id === trust?.id),
    one.trusted.trust(user, CLIENT),
  ])
  await eventually(() => expect([known(one), known(two)]).toEqual([undefined, undefined]))
  expect(two.store.snapshot().users.find(({ id }) => id === user.id)?.factors?.trusted).toHaveLength(1)
})
