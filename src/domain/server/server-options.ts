import { Type, type Static } from 'typebox'
import { isBucketUrl, parseBucketUrl } from './addresses.ts'

const option = { restart: true } as const

/**
 * Start-up values of the daemon. Each can be set by a flag, by FILEMGR_<FLAG>, in the config file and in the store. `store` has a
 * flag of every command.
 */
export const ServerOptions = Type.Object(
  {
    root: Type.String({
      default: '.',
      title: 'Served folder',
      description: 'All files that users can access are in this folder. Or a bucket on S3.',
      'x-filemgr': { ...option, short: 'r' },
    }),
    store: Type.String({
      default: '',
      title: 'Database',
      description: 'PostgreSQL for accounts, settings, links and sessions. Leave empty for files in the data folder.',
      'x-filemgr': { ...option, global: true, web: false, example: 'postgres://filemgr@db/filemgr' },
    }),
    s3Direct: Type.String({
      default: '',
      maxLength: 256,
      pattern: '^(https?://[^\\s/?#@]+)?$',
      title: 'Direct transfers with S3',
      description:
        'The address of the S3 server for browsers, which then exchange large files with it. Leave empty for none.',
      'x-filemgr': { ...option, web: false, example: 'https://s3.example.org' },
    }),
    storeOutage: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 86_400,
      title: 'Seconds of reading without the database',
      description:
        'While it is away, users and visitors may go on reading for this long, even with access that another machine has taken away.',
      'x-filemgr': { ...option, web: false, example: '300' },
    }),
    processes: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 64,
      title: 'Processes',
      description: 'Daemons behind one port, one for each processor to be used. More than one needs PostgreSQL.',
      'x-filemgr': { ...option, web: false, example: '4' },
    }),
    address: Type.String({
      default: '127.0.0.1',
      title: 'Address',
      description: 'The network address to listen on. 127.0.0.1 is this machine only.',
      'x-filemgr': { ...option, short: 'a' },
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      title: 'Port',
      description: '0 picks a free port.',
      'x-filemgr': { ...option, short: 'p' },
    }),
    baseURL: Type.String({
      default: '',
      pattern: '^(/[^\\s?#]*)?$',
      title: 'Base path',
      description: 'The path under which a proxy offers the site, such as /files.',
      'x-filemgr': { ...option, short: 'b', example: '/files' },
    }),
    publicUrl: Type.String({
      default: '',
      pattern: '^(https?://[^\\s/?#@]+(/[^\\s?#]*)?)?$',
      title: 'Public address',
      description: 'The address in links and QR codes. Empty for the address in use.',
      'x-filemgr': { ...option, example: 'https://files.example.org' },
    }),
    socket: Type.String({
      default: '',
      title: 'Unix socket',
      description: 'Listens on this socket instead of a port.',
      'x-filemgr': option,
    }),
    socketPerm: Type.String({
      default: '0660',
      pattern: '^0?o?[0-7]{3,4}$',
      title: 'Socket mode',
      description: 'Octal, such as 0660.',
      'x-filemgr': { ...option, example: '0660' },
    }),
    cert: Type.String({
      default: '',
      title: 'TLS certificate',
      description: 'A PEM file on the server. Requires a key.',
      'x-filemgr': { ...option, short: 't' },
    }),
    key: Type.String({
      default: '',
      title: 'TLS key',
      description: 'A PEM file on the server.',
      'x-filemgr': { ...option, short: 'k' },
    }),
    log: Type.String({
      default: 'stderr',
      title: 'Log',
      description: 'stdout, stderr, or a file that ends in .log. Leave empty for none.',
      'x-filemgr': { ...option, short: 'l' },
    }),
    logFormat: Type.Enum(['auto', 'pretty', 'json'], { default: 'auto', title: 'Log format', 'x-filemgr': option }),
    accessLog: Type.String({
      default: '',
      title: 'Access log',
      description: 'stdout, stderr, or a file that ends in .log: one JSON line per request. Leave empty for none.',
      'x-filemgr': { ...option, example: '/var/log/filemgr/access.log' },
    }),
    auditExport: Type.Array(Type.String({ maxLength: 512 }), {
      default: [],
      maxItems: 4,
      title: 'Copies of the activity log',
      description:
        'syslog+udp://192.0.2.7:514, syslog+tcp://192.0.2.7:601, syslog+unix:/dev/log, json+tcp://192.0.2.7:5170, json+unix:/run/x, or a file that ends in .log.',
      'x-filemgr': { ...option, widget: 'words', example: 'syslog+tcp://logs.example.org:601' },
    }),
    metrics: Type.String({
      default: '',
      maxLength: 256,
      pattern: '^((\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5})?$',
      title: 'Metrics address',
      description: 'Prometheus reads /metrics here, without signing in. Leave empty for none.',
      'x-filemgr': { ...option, example: '127.0.0.1:9180' },
    }),
    trustedProxies: Type.Array(Type.String({ maxLength: 64 }), {
      default: [],
      maxItems: 64,
      title: 'Trusted proxies',
      description: 'Addresses or ranges whose X-Forwarded-For header is trusted.',
      'x-filemgr': { ...option, widget: 'words' },
    }),
    recaptchaHosts: Type.Array(Type.String({ maxLength: 256, pattern: '^https://[a-z0-9.-]+(:[0-9]{1,5})?$' }), {
      default: ['https://www.google.com', 'https://www.recaptcha.net', 'https://recaptcha.net'],
      maxItems: 8,
      title: 'Captcha services',
      description: 'Sites that may check sign-ins.',
      'x-filemgr': { ...option, widget: 'words', web: false, example: 'https://captcha.example.org' },
    }),
    webhookHosts: Type.Array(
      Type.String({ maxLength: 256, pattern: '^([a-z0-9._-]+|\\[[0-9a-f:]+\\])(:[0-9]{1,5})?$' }),
      {
        default: [],
        maxItems: 32,
        title: 'Private hosts for webhooks',
        description: 'Hosts on this machine or network that webhooks may reach, such as n8n.lan:5678.',
        'x-filemgr': { ...option, widget: 'words', web: false, example: 'n8n.lan:5678' },
      },
    ),
    signInHosts: Type.Array(
      Type.String({ maxLength: 256, pattern: '^([a-z0-9._-]+|\\[[0-9a-f:]+\\])(:[0-9]{1,5})?$' }),
      {
        default: [],
        maxItems: 32,
        title: 'Private hosts for sign-in',
        description: 'Sign-in providers on this machine or network, such as sso.lan or 127.0.0.1:9000.',
        'x-filemgr': { ...option, widget: 'words', web: false, example: 'sso.lan' },
      },
    ),
    tokenExpirationTime: Type.String({
      default: '2h',
      title: 'Token lifetime',
      description: 'Such as 30m or 2h30m. Open pages renew their tokens.',
      'x-filemgr': { ...option, widget: 'duration' },
    }),
    rootsIn: Type.Array(Type.String({ maxLength: 4096, pattern: '^(/|s3://)' }), {
      default: [],
      maxItems: 32,
      title: 'Places for new roots',
      description: 'Folders and buckets in which administrators may add roots on the web. Leave empty for none.',
      'x-filemgr': { ...option, widget: 'words', web: false, example: '/srv s3://team-files' },
    }),
    followExternalSymlinks: Type.Boolean({
      default: false,
      title: 'Follow symbolic links out of a user’s scope',
      'x-filemgr': option,
    }),
    disableTypeDetectionByHeader: Type.Boolean({
      default: false,
      title: 'Detect file types by name only',
      'x-filemgr': option,
    }),
    disableThumbnails: Type.Boolean({ default: false, title: 'Disable thumbnails', 'x-filemgr': option }),
    disablePreviewResize: Type.Boolean({ default: false, title: 'Show images at full size', 'x-filemgr': option }),
    imageProcessors: Type.Integer({
      default: 2,
      minimum: 1,
      maximum: 64,
      title: 'Images resized at once',
      description: 'Each takes up to 400 MiB of memory, and less on a small machine.',
      'x-filemgr': option,
    }),
    cacheDir: Type.String({
      default: '',
      title: 'Cache folder',
      description: 'For thumbnails. Leave empty for a folder in the data folder.',
      'x-filemgr': { ...option, web: false, example: '/var/cache/filemgr' },
    }),
    disableImageResolutionCalc: Type.Boolean({
      default: false,
      title: 'Do not read image dimensions',
      'x-filemgr': option,
    }),
    enableExec: Type.Boolean({
      default: false,
      title: 'Enable the terminal and hooks',
      'x-filemgr': { ...option, web: false },
    }),
    noAuth: Type.Boolean({
      default: false,
      title: 'Disable sign-in',
      description: 'Everyone who can reach the address acts as the first user.',
      'x-filemgr': option,
    }),
    noAuthRemote: Type.Boolean({
      default: false,
      title: 'Disable sign-in for other machines too',
      'x-filemgr': option,
    }),
    readOnly: Type.Boolean({
      default: false,
      title: 'Read-only',
      description: 'No one can change files.',
      'x-filemgr': option,
    }),
  },
  { title: 'Server' },
)
export type ServerOptions = Static<typeof ServerOptions>

/** The path of the base URL with single slashes and none at its end; empty for the root of the host. */
export function baseOf({ baseURL }: Pick<ServerOptions, 'baseURL'>): string {
  return baseURL.replace(/\/{2,}/g, '/').replace(/\/$/, '')
}

/** The base URL of links, with a trailing slash; undefined if no public address is set. */
export function publicBase(options: Pick<ServerOptions, 'publicUrl' | 'baseURL'>): string | undefined {
  const { publicUrl } = options
  return URL.canParse(publicUrl) ? `${new URL(publicUrl).origin}${baseOf(options)}/` : undefined
}

/** Where browsers reach the bucket: servers have a host for each, or one for all. Empty unless the bucket is open to them. */
export function bucketOrigins({ s3Direct, root }: Pick<ServerOptions, 's3Direct' | 'root'>): string[] {
  if (!URL.canParse(s3Direct) || !isBucketUrl(root)) return []
  const { origin, protocol, host } = new URL(s3Direct)
  return [origin, `${protocol}//${parseBucketUrl(root).bucket}.${host}`]
}

/** The sources of a value, in order of precedence. */
export const OPTION_SOURCES = ['flag', 'environment', 'config file', 'store', 'default'] as const
export type OptionSource = (typeof OPTION_SOURCES)[number]

/** One start-up value as administrators see it. */
export const OptionView = Type.Object({
  /** The value in force. */
  value: Type.Unknown(),
  source: Type.Enum([...OPTION_SOURCES]),
  /** The value in the store; null if there is none. */
  saved: Type.Unknown(),
  default: Type.Unknown(),
  /** Saving has no effect: a flag, a variable or the config file takes precedence, or the web settings may not change it. */
  locked: Type.Boolean(),
  /** The saved value differs from the one in force, and takes effect with the next start. */
  waiting: Type.Boolean(),
})
export type OptionView = Static<typeof OptionView>
