import { defaultsOf } from '../../domain/schema-tools.ts'
import { ServerOptions } from '../../domain/server-options.ts'
import type { Settings } from '../../domain/settings.ts'
import { systemRandom, type Random } from '../../platform/random.ts'
import { wireOf } from '../settings/settings-fill.ts'

const KEY_BYTES = 64

export interface SettingsExportInput {
  readonly settings: Readonly<Settings>
  /** Saved start-up values. */
  readonly server: Readonly<Partial<ServerOptions>>
  readonly random?: Random
}

/**
 * Settings and start-up values as File Browser 2 reads them with `config import`, in the order in which it writes them.
 * Its signing key is made anew: ours is told to nobody, and an empty one would let anybody sign tokens.
 */
export function exportSettings({ settings, server, random = systemRandom }: SettingsExportInput) {
  const wire = wireOf(settings)
  const key = Buffer.from(random.token(KEY_BYTES), 'base64url').toString('base64')
  const { logoutPage, fileMode, dirMode } = settings
  return {
    settings: { key, ...wire, logoutPage, fileMode, dirMode, hideDotfiles: false },
    server: serverRecord({ ...defaultsOf(ServerOptions), ...server }),
    auther: autherOf(settings),
  }
}

/** What the way to sign in needs, in the form of that way. */
function autherOf({ authMethod, auth, recaptcha }: Readonly<Settings>): object {
  if (authMethod === 'proxy') return { header: auth.header }
  if (authMethod === 'hook') return { command: auth.command.join(' ') }
  if (authMethod === 'noauth') return {}
  return { recaptcha: recaptcha.secret === '' ? null : { ...recaptcha } }
}

function serverRecord(options: ServerOptions) {
  return {
    root: options.root,
    baseURL: options.baseURL,
    socket: options.socket,
    tlsKey: options.key,
    tlsCert: options.cert,
    port: String(options.port),
    address: options.address,
    log: options.log,
    enableThumbnails: !options.disableThumbnails,
    resizePreview: !options.disablePreviewResize,
    enableExec: options.enableExec,
    typeDetectionByHeader: !options.disableTypeDetectionByHeader,
    imageResolutionCalculation: !options.disableImageResolutionCalc,
    authHook: '',
    tokenExpirationTime: options.tokenExpirationTime,
    followExternalSymlinks: options.followExternalSymlinks,
  }
}
