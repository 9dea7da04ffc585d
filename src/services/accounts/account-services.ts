import type { ServerOptions } from '../../domain/server/server-options.ts'
import { createAddressList } from '../../platform/network/address-list.ts'
import type { Clock } from '../../platform/clock.ts'
import { createEgressFetch } from '../../platform/network/egress.ts'
import { createCommonPasswords } from '../../platform/security/common-passwords.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createLogoutTokens } from '../../platform/security/logout-token.ts'
import { createOpenId } from '../../platform/security/openid.ts'
import type { PasswordHasher } from '../../platform/security/password-hasher.ts'
import { compilePattern } from '../../platform/validation/pattern.ts'
import type { PostForm } from '../../platform/network/post-form.ts'
import type { Random } from '../../platform/security/random.ts'
import { createTokens } from '../../platform/security/tokens.ts'
import type { Storage } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { SharedFacts, Store } from '../../store/store.ts'
import { createAuth } from './auth/auth.ts'
import { createByDirectory } from './auth/by-directory.ts'
import { createByPassword, createMatchPassword } from './auth/by-password.ts'
import { createByProgram } from './auth/by-program.ts'
import { createByProxy } from './auth/by-proxy.ts'
import { createCaptcha } from './auth/captcha.ts'
import { createAskProgram } from './auth/sign-in-program.ts'
import { createAsksPassword, createConfirmPassword, createPasswordPolicy } from './auth/passwords.ts'
import type { SessionLife } from './sessions/session-records.ts'
import { lastSeenOf, type SessionBook } from './sessions/sessions.ts'
import { createSignInCodes } from './auth/sign-in-codes.ts'
import { createSignInSettings } from './auth/sign-in-settings.ts'
import { createSignUp } from './auth/sign-up.ts'
import { createThrottle } from './auth/throttle.ts'
import { createApiTokens } from './tokens/api-tokens.ts'
import { createIdentities } from './identities.ts'
import { createTestDirectory } from './directories/test-directory.ts'
import { createOidcSignIn } from './providers/oidc/oidc-sign-in.ts'
import { createOidcSignOut } from './providers/oidc/oidc-sign-out.ts'
import { createStartedSignIns } from './providers/oidc/started-sign-ins.ts'
import { createTestOidc } from './providers/oidc/test-oidc.ts'
import { createProviderSignIn } from './providers/provider-sign-in.ts'
import { createProviders } from './providers/providers.ts'
import { createTokenUse } from './tokens/token-use.ts'
import { createGroups } from './groups/groups.ts'
import { createConfirmChange } from './factors/confirm-change.ts'
import { createFactorCheck } from './factors/factor-check.ts'
import { createFactorRequirement } from './factors/factor-requirement.ts'
import { createFactors } from './factors/factors.ts'
import { createPasskeyChallenges } from './factors/passkey-challenges.ts'
import { createSecondStep } from './factors/second-step.ts'
import { createTrustedDevices } from './factors/trusted-devices.ts'
import { createUsers } from './users/users.ts'
import { createAlter } from './users/account-change.ts'
import { createEnrol } from './users/enrol.ts'
import { createUserTransfer } from './users/user-transfer.ts'
import type { Quotas } from '../access/quotas/quotas.ts'

export interface AccountServicesDeps {
  readonly options: ServerOptions
  readonly store: Store<StoreDocument>
  readonly sessions: SessionBook
  readonly facts: SharedFacts
  readonly storage: Storage
  readonly quotas: Quotas
  readonly hasher: PasswordHasher
  readonly postForm: PostForm
  readonly life: () => SessionLife
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Accounts and sign-in. @throws INVALID_INPUT if a trusted proxy is not an address */
export function createAccountServices(deps: AccountServicesDeps) {
  const { options, store, sessions, facts, storage, quotas, hasher, postForm, life, clock, random, log } = deps
  const compile = compilePattern
  const current = () => store.snapshot().settings
  const proxies = createAddressList(options.trustedProxies)
  const tokens = createTokens({ key: () => store.snapshot().secrets.tokenKey, clock })
  const throttle = createThrottle({ facts, clock })
  const codes = createSignInCodes({ facts, random })
  const policy = createPasswordPolicy({
    minimumLength: () => current().minimumPasswordLength,
    isCommon: createCommonPasswords(),
  })
  const confirm = createConfirmPassword({ store, hasher, throttle, options })
  const challenges = createPasskeyChallenges({ facts })
  const factorCheck = createFactorCheck({ store, challenges, clock })
  const trusted = createTrustedDevices({ store, clock, random })
  const secondStep = createSecondStep({ store, facts, check: factorCheck, trusted, throttle, random })
  const factorRequirement = createFactorRequirement({ store, clock, log })
  const asksPassword = createAsksPassword({ store, options })
  const confirmChange = createConfirmChange({ confirm, asksPassword, check: factorCheck, throttle })
  const captcha = createCaptcha({ settings: current, options, postForm })
  const match = createMatchPassword({ store, hasher })
  const ask = createAskProgram({ log })
  const { enrol, enrolAll } = createEnrol({ store, storage, quotas, compile, clock, log })
  const use = createTokenUse({ store, clock, log })
  // By a session or a token. What commands do to an account is no use of it.
  const lastSeen = () => {
    const bySession = [...sessions.lastSeen()].map(([userId, lastSeenAt]) => ({ userId, lastSeenAt }))
    const byToken = store.snapshot().tokens.map((token) => ({ userId: token.userId, lastSeenAt: use.lastOf(token) }))
    return lastSeenOf([...bySession, ...byToken])
  }
  const alter = createAlter({ store, sessions, compile, clock })
  const providerSignIn = createProviderSignIn({ store, enrol, alter, clock, log })
  const byDirectory = createByDirectory({ store, providerSignIn, captcha, throttle, log })
  const { prove, proveAnywhere } = byDirectory
  const methods = {
    json: createByPassword({ store, match, proveAnywhere, captcha, throttle }),
    proxy: createByProxy({ store, proxies, enrol }),
    hook: createByProgram({ store, ask, match, hasher, throttle, enrol, alter, compile, log }),
  }
  const auth = createAuth({
    store,
    sessions,
    tokens,
    throttle,
    codes,
    secondStep,
    factorCheck,
    trusted,
    factorRequirement,
    methods,
    prove,
    proxies,
    life,
    clock,
    options,
  })
  const fetch = createEgressFetch(({ host, hostname }) => {
    return options.signInHosts.includes(host) || options.signInHosts.includes(hostname)
  })
  const openId = createOpenId({ fetch, clock })
  const logoutTokens = createLogoutTokens({ fetch, clock })
  const started = createStartedSignIns({ facts, random })
  const oidcSignIn = createOidcSignIn({
    store,
    openId,
    started,
    signIn: providerSignIn,
    auth,
    throttle,
    facts,
    clock,
    log,
  })
  return {
    confirm,
    auth,
    factorRequirement,
    confirmChange,
    factors: createFactors({
      store,
      facts,
      sessions,
      challenges,
      trusted,
      requirement: factorRequirement,
      confirmChange,
      confirm,
      clock,
      random,
    }),
    apiTokens: createApiTokens({
      store,
      use,
      throttle,
      confirm,
      clock,
      random,
      log,
    }),
    users: createUsers({ store, sessions, lastSeen, enrol, alter, hasher, policy, confirm, compile, clock }),
    groups: createGroups({ store, confirm, compile, random }),
    userTransfer: createUserTransfer({ store, enrolAll, hasher, policy, compile, clock }),
    signUp: createSignUp({ store, facts, enrol, hasher, policy, captcha, clock }),
    providerSignIn,
    providers: createProviders({
      store,
      confirm,
      test: { oidc: createTestOidc({ openId }), ldap: createTestDirectory(byDirectory) },
    }),
    oidcSignIn,
    oidcSignOut: createOidcSignOut({ store, openId, logoutTokens, started, sessions, log }),
    identities: createIdentities({ store, oidcSignIn, byDirectory, sessions, confirm, clock }),
    byDirectory,
    signInSettings: createSignInSettings({ store, options, proxies, ask, match, confirm }),
  }
}
