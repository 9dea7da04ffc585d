import { Type, type Static } from 'typebox'
import { AUTH_METHODS, CaptchaSettings, SIGN_IN_METHOD, SignInSettings } from '../accounts/auth-method.ts'
import { SecondFactorSettings } from '../accounts/second-factor.ts'
import { HOOK_EVENTS, HookLimits, MAX_HOOKS } from '../automation/hook.ts'
import { MAX_RULES, PermissionRule, Rule } from '../access/rule.ts'
import { UserDefaults, WireUserDefaults } from '../accounts/user.ts'

const Branding = Type.Object(
  {
    name: Type.String({
      default: '',
      maxLength: 100,
      title: 'Name',
      description: 'Shown in titles, on the sign-in page and on shared links.',
    }),
    disableExternal: Type.Boolean({ default: false, title: 'Hide links to other sites' }),
    disableUsedPercentage: Type.Boolean({ default: false, title: 'Hide the storage bar' }),
    files: Type.String({
      default: '',
      maxLength: 4096,
      title: 'Branding folder',
      description: 'On the server. Everyone can read its custom.css and images. Leave empty to use uploaded files.',
    }),
    theme: Type.Enum(['', 'light', 'dark'], { default: '', title: 'Theme' }),
    color: Type.String({
      default: '',
      pattern: '^(#[0-9A-Fa-f]{3,8})?$',
      title: 'Accent colour',
      description: 'Buttons, links and the browser frame on phones. Leave empty for the default blue.',
      'x-filemgr': { widget: 'color', example: '#2979ff' },
    }),
  },
  { title: 'Branding', 'x-filemgr': { group: 'Branding' } },
)

const ResumableUploads = Type.Object(
  {
    chunkSize: Type.Integer({
      default: 10_485_760,
      minimum: 1,
      title: 'Chunk size',
      description: 'A number with B, KiB, MiB, GiB or TiB.',
      'x-filemgr': { widget: 'bytes' },
    }),
    retryCount: Type.Integer({ default: 5, minimum: 0, maximum: 65_535, title: 'Retries after a failure' }),
  },
  { title: 'Resumable uploads', 'x-filemgr': { group: 'Uploads' } },
)

const hookLines = Type.Array(Type.String({ maxLength: 4096 }), { default: [], maxItems: MAX_HOOKS })

/** The settings of the original File Browser API, in its order. */
export const WireSettings = Type.Object({
  signup: Type.Boolean({
    default: false,
    title: 'Allow sign-up',
    description: 'Anyone who can reach this site can create an account. Each gets a home folder.',
    'x-filemgr': { group: 'Accounts', short: 's' },
  }),
  hideLoginButton: Type.Boolean({
    default: true,
    title: 'Hide the sign-in button on shared links',
    'x-filemgr': { group: 'Accounts' },
  }),
  createUserDir: Type.Boolean({
    default: false,
    title: 'Create a home folder for each new user',
    description: 'Created with the account, unless the account gets another scope.',
    'x-filemgr': { group: 'Accounts' },
  }),
  minimumPasswordLength: Type.Integer({
    default: 12,
    minimum: 1,
    maximum: 1024,
    title: 'Minimum password length',
    description: 'Applies to new passwords.',
    'x-filemgr': { group: 'Accounts' },
  }),
  userHomeBasePath: Type.String({
    default: '/users',
    maxLength: 4096,
    title: 'Home folders are created in',
    'x-filemgr': { group: 'Accounts', widget: 'folder' },
  }),
  defaults: WireUserDefaults,
  authMethod: Type.Enum(AUTH_METHODS, {
    default: 'json',
    title: SIGN_IN_METHOD,
    'x-filemgr': { group: 'Sign-in' },
  }),
  rules: Type.Array(Rule, {
    default: [],
    maxItems: MAX_RULES,
    title: 'Rules for everyone',
    'x-filemgr': { group: 'Rules', widget: 'rules', cli: false },
  }),
  branding: Branding,
  tus: ResumableUploads,
  shell: Type.Array(Type.String({ maxLength: 256 }), {
    default: [],
    maxItems: 32,
    title: 'Shell',
    description: 'Kept for old clients. Commands run without a shell.',
    'x-filemgr': { group: 'Commands', widget: 'words' },
  }),
  commands: Type.Record(Type.String({ pattern: '^[a-z_]{1,64}$' }), hookLines, {
    default: Object.fromEntries(HOOK_EVENTS.map((event) => [event, []])),
    title: 'Hooks',
    'x-filemgr': { group: 'Commands', widget: 'lines', cli: false },
  }),
})
export type WireSettings = Static<typeof WireSettings>

/** Settings that the original API does not have. */
const OwnSettings = Type.Object({
  auth: SignInSettings,
  recaptcha: CaptchaSettings,
  secondFactor: SecondFactorSettings,
  logoutPage: Type.String({
    default: '/login',
    maxLength: 1024,
    title: 'Page after signing out',
    description: 'A path on this site or a full address.',
    'x-filemgr': { group: 'Sign-in' },
  }),
  sessionMaxAge: Type.String({
    default: '30d',
    title: 'Sign in again after',
    description: 'Such as 12h or 30d, even if the user stays active.',
    'x-filemgr': { group: 'Sign-in', widget: 'duration' },
  }),
  fileMode: Type.Integer({
    default: 0o640,
    minimum: 0,
    maximum: 0o777,
    title: 'Mode of new files',
    description: 'Octal, such as 0640. It holds whatever the umask.',
    'x-filemgr': { group: 'Files', widget: 'mode' },
  }),
  dirMode: Type.Integer({
    default: 0o750,
    minimum: 0,
    maximum: 0o3777,
    title: 'Mode of new folders',
    description: 'Octal, such as 0750, or 2750 so that content gets the group of its folder.',
    'x-filemgr': { group: 'Files', widget: 'mode' },
  }),
  permissionRules: Type.Array(PermissionRule, {
    default: [],
    maxItems: MAX_RULES,
    title: 'Permissions in folders',
    'x-filemgr': { group: 'Rules', widget: 'permissionRules', cli: false },
  }),
  findPeople: Type.Boolean({
    default: true,
    title: 'Find people by name',
    description:
      'Who may share finds users and groups by two letters of their names; otherwise names are typed in full.',
    'x-filemgr': { group: 'Files' },
  }),
  hookLimits: Type.Array(HookLimits, {
    default: [],
    maxItems: 1000,
    title: 'Hook limits',
    description: 'Time limits and failure handling of single hooks.',
    'x-filemgr': { group: 'Commands', cli: false },
  }),
  trash: Type.Object(
    {
      days: Type.Integer({
        default: 30,
        minimum: 0,
        maximum: 3650,
        title: 'Days in trash',
        description: 'After this, items in the trash are deleted forever. 0 turns the trash off.',
        'x-filemgr': { group: 'Files' },
      }),
    },
    { title: 'Trash' },
  ),
})

const { auth: _auth, recaptcha: _captcha, secondFactor: _factor, ...openOwn } = OwnSettings.properties

/** All settings except those for sign-in, which contain a secret and require the password to change. */
export const OpenSettings = Type.Object(
  { ...WireSettings.properties, defaults: UserDefaults, ...openOwn },
  { title: 'Settings' },
)
export type OpenSettings = Static<typeof OpenSettings>

/** Changes take effect immediately, without a restart. */
export const Settings = Type.Object(
  { ...WireSettings.properties, defaults: UserDefaults, ...OwnSettings.properties },
  { title: 'Settings' },
)
export type Settings = Static<typeof Settings>
