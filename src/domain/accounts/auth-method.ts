import { Type, type Static } from 'typebox'
import { SecondFactorSettings } from './second-factor.ts'

/** How users sign in: by a stored password, by a proxy's header, by an external program, or not at all. */
export const AUTH_METHODS = ['json', 'proxy', 'hook', 'noauth'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** How a session began: by the method in force, at a provider, or by a passkey alone. */
export const SIGN_IN_WAYS = [...AUTH_METHODS, 'oidc', 'ldap', 'passkey'] as const

export const SIGN_IN_METHOD = 'Sign-in method'

/** `--no-auth` overrides the setting. */
export function methodInForce(
  options: { readonly noAuth: boolean },
  settings: { readonly authMethod: AuthMethod },
): AuthMethod {
  return options.noAuth ? 'noauth' : settings.authMethod
}

/** Options of the sign-in methods. */
export const SignInSettings = Type.Object(
  {
    header: Type.String({
      default: '',
      maxLength: 64,
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$",
      title: 'Header with the username',
      description: 'Accepted from trusted proxies only.',
      'x-filemgr': { example: 'X-Forwarded-User' },
    }),
    command: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      default: [],
      maxItems: 64,
      title: 'Sign-in program',
      description: 'Program and arguments. It gets the username and password as JSON on standard input.',
      'x-filemgr': { widget: 'words' },
    }),
    commandEnvironment: Type.Boolean({
      default: false,
      title: 'Pass the password in the environment too',
      description: 'As USERNAME and PASSWORD, for old programs. Other processes of the same account can read it there.',
    }),
    createUsers: Type.Boolean({
      default: true,
      title: 'Create accounts for unknown users',
      description: 'For anyone the proxy or the program accepts.',
    }),
    hidePassword: Type.Boolean({
      default: false,
      title: 'Hide the password form',
      description: 'People see only the buttons of the providers, and a button that shows the form.',
    }),
  },
  { title: 'Sign-in', 'x-filemgr': { group: 'Sign-in' } },
)
export type SignInSettings = Static<typeof SignInSettings>

const CAPTCHA = {
  host: Type.String({
    default: 'https://www.google.com',
    maxLength: 256,
    title: 'Captcha service',
    description: 'One of the services the server was started with.',
  }),
  key: Type.String({ default: '', maxLength: 256, title: 'Captcha site key' }),
  secret: Type.String({
    default: '',
    maxLength: 256,
    title: 'Captcha secret',
    'x-filemgr': { widget: 'secret', secret: true },
  }),
}

/** A captcha service. Used while a secret is set. */
export const CaptchaSettings = Type.Object(CAPTCHA, { title: 'Captcha', 'x-filemgr': { group: 'Sign-in' } })
export type CaptchaSettings = Static<typeof CaptchaSettings>

/** Changes to the sign-in settings; absent fields stay unchanged. An empty secret removes the captcha. */
export const SignInChange = Type.Object({
  method: Type.Optional(Type.Enum(AUTH_METHODS, { title: SIGN_IN_METHOD })),
  ...Type.Partial(SignInSettings).properties,
  recaptcha: Type.Optional(Type.Partial(Type.Object(CAPTCHA))),
  secondFactor: Type.Optional(Type.Partial(SecondFactorSettings)),
  current_password: Type.Optional(Type.String({ maxLength: 4096 })),
})
export type SignInChange = Static<typeof SignInChange>

/** The sign-in settings as administrators see them, without the secret. */
export const SignInView = Type.Object({
  method: Type.Enum(AUTH_METHODS),
  ...SignInSettings.properties,
  recaptcha: Type.Object({
    host: CaptchaSettings.properties.host,
    key: CaptchaSettings.properties.key,
    hasSecret: Type.Boolean(),
  }),
  secondFactor: SecondFactorSettings,
})
export type SignInView = Static<typeof SignInView>
