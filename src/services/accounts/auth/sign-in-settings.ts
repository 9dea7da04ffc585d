import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import type { SignInChange, SignInView } from '../../../domain/accounts/auth-method.ts'
import { fail } from '../../../domain/errors.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { Settings } from '../../../domain/settings/settings.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { AddressList } from '../../../platform/network/address-list.ts'
import { createSchemaCheck } from '../../../platform/validation/schema-check.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { MatchPassword } from './by-password.ts'
import type { Peer } from './sign-in-request.ts'
import { proxiedName } from './by-proxy.ts'
import { requireAdministrator, requireProgram, requireUsableSignIn } from './sign-in-problem.ts'
import type { AskProgram } from './sign-in-program.ts'
import type { ConfirmPassword } from './passwords.ts'
import { merged } from '../../../domain/schema/schema-tools.ts'

export interface SignInSettingsDeps {
  readonly store: Store<StoreDocument>
  readonly options: ServerOptions
  readonly proxies: AddressList
  readonly ask: AskProgram
  readonly match: MatchPassword
  readonly confirm: ConfirmPassword
}

const checkSettings = createSchemaCheck(Settings)

/** The sign-in method, for administrators on the page. */
export function createSignInSettings(deps: SignInSettingsDeps) {
  const { store, options, proxies, ask, match, confirm } = deps

  /** Checks that the administrator could sign in by the new method. */
  const requireCanSignIn = async (
    next: Settings,
    user: User,
    password: string | undefined,
    peer: Peer,
  ): Promise<void> => {
    if (next.authMethod === 'proxy' && proxiedName(peer, next, proxies) !== user.username) {
      const advice = `open filemgr through the proxy, signed in there as ${user.username}, and try again`
      fail('INVALID_INPUT', `this request carries no ${next.auth.header} of a trusted proxy; ${advice}`, {
        field: 'method',
      })
    }
    // Whoever comes from a provider needs none to change other settings.
    const isNew = store.snapshot().settings.authMethod !== 'json'
    if (next.authMethod === 'json' && isNew && user.passwordHash === '') {
      fail('INVALID_INPUT', `you have no password; set one first with "filemgr users passwd ${user.username}"`, {
        field: 'method',
      })
    }
    if (next.authMethod !== 'hook') return
    const answer = await ask(next.auth, user.username, password ?? '')
    const isAccepted =
      answer.action === 'auth'
        ? answer.fields.perm?.admin !== false
        : answer.action === 'pass' && (await match(user.username, password ?? '')) !== undefined
    if (!isAccepted) {
      const message = 'the program does not accept you as an administrator with this password; nothing was changed'
      fail('INVALID_INPUT', message, { field: 'current_password' })
    }
  }

  return {
    /** @throws FORBIDDEN */
    async get(actor: Actor): Promise<SignInView> {
      requireAdmin(actor, 'settings.manage')
      return viewOf(store.snapshot().settings)
    },

    /**
     * Changes all values or none. The caller must be able to sign in by the new method, so that administrators cannot lock
     * themselves out.
     *
     * @throws FORBIDDEN, INVALID_INPUT saying what to do first
     */
    async change(
      actor: Actor,
      { current_password: password, ...change }: SignInChange,
      peer: Peer,
    ): Promise<SignInView> {
      requireAdmin(actor, 'settings.manage')
      await confirm(actor, password)
      refuseProgram(actor, change, options)
      const next = checkSettings(changed(store.snapshot().settings, change))
      const { users } = store.snapshot()
      requireUsableSignIn({ settings: next, options, users })
      await requireProgram(next)
      if (actor.kind === 'user') await requireCanSignIn(next, actor.user(), password, peer)
      return await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        const settings = checkSettings(changed(draft.settings, change))
        requireUsableSignIn({ settings, options, users: draft.users })
        requireAdministrator(draft.users)
        draft.settings = settings
        return viewOf(settings)
      })
    },
  }
}

/** The attack is an administrator who takes over the machine by choosing a program to run. */
function refuseProgram(actor: Actor, change: SignInChange, { enableExec }: ServerOptions): void {
  const named = change.command !== undefined || change.commandEnvironment !== undefined
  if (!named || actor.kind === 'operator' || enableExec) return
  const advice = 'choose it at the command line, "filemgr settings set auth.command=...", then the method here'
  fail('FORBIDDEN', `the sign-in program cannot be set from the page; ${advice}`, { field: 'command' })
}

function changed(settings: Readonly<Settings>, change: Omit<SignInChange, 'current_password'>): Settings {
  const { method, recaptcha, secondFactor, ...auth } = change
  // Without a secret there is no captcha, so the key goes too.
  const captcha = recaptcha?.secret === '' ? { ...recaptcha, key: '' } : recaptcha
  return merged<Settings>(settings, { authMethod: method, auth, recaptcha: captcha, secondFactor })
}

function viewOf({ authMethod, auth, secondFactor, recaptcha: { host, key, secret } }: Readonly<Settings>): SignInView {
  return { method: authMethod, ...auth, recaptcha: { host, key, hasSecret: secret !== '' }, secondFactor }
}
