import { text as readAll } from 'node:stream/consumers'
import { fail } from '../domain/errors.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { environmentValue } from '../options/environment.ts'
import { exchange, requestTo } from './http-exchange.ts'
import type { Invocation } from './program/command.ts'

/** With these, the addresses of screens and calls continue after the base path. */
const SCREENS = new Set(['api', 'files', 'share', 'settings', 'trash', 'help', 'login'])

/**
 * The address of the server, with a slash at its end. People also copy it from the browser, with what follows the base path; a
 * base path may have such a name too, so the server is asked.
 *
 * @throws INVALID_INPUT without a usable address, UNAVAILABLE
 */
export async function serverAddress({ values, terminal }: Invocation): Promise<URL> {
  const { url } = values
  const text = typeof url === 'string' ? url : environmentValue(terminal.env, 'URL')?.text
  if (text === undefined) fail('INVALID_INPUT', 'no server: use --url or FILEMGR_URL', { field: 'url' })
  const given = URL.canParse(text) ? new URL(text) : undefined
  if (given === undefined || !/^https?:$/.test(given.protocol))
    fail('INVALID_INPUT', `--url takes an address such as https://files.example.com, not "${text}"`, { field: 'url' })
  const names = given.pathname.split('/').filter((name) => name !== '')
  const screens = [...names.keys()].filter((index) => SCREENS.has(names[index] ?? ''))
  if (screens.length === 0) return below(given, names)
  for (const length of [names.length, ...screens]) {
    const address = below(given, names.slice(0, length))
    if (await isServer(address)) return address
  }
  return below(given, names)
}

function below(address: URL, names: readonly string[]): URL {
  const cut = new URL(address)
  cut.pathname = names.map((name) => `${name}/`).join('')
  cut.search = ''
  cut.hash = ''
  return cut
}

/** @throws UNAVAILABLE if nothing answers */
async function isServer(address: URL): Promise<boolean> {
  const reply = await exchange(await requestTo(new URL('health/live', address), {}), address)
  return isRecord(parseJson(await readAll(reply)))
}
