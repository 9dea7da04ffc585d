import { fail } from '../domain/errors.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import type { OptionSources } from '../options.ts'
import { requireUsableOptions } from '../services/server-options/usable-options.ts'

/** What a start can know about its values before it opens anything. @throws INVALID_INPUT naming the option */
export function checkValues(options: ServerOptions, sources: OptionSources): void {
  requireUsableOptions(options)
  const rival = (['address', 'port', 'cert', 'key'] as const).find((name) => sources[name] === 'flag')
  if (options.socket !== '' && rival !== undefined) {
    fail('INVALID_INPUT', `--socket takes the place of a port: leave --${rival} out`, { field: rival })
  }
}
