import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Mapping } from '../../../domain/accounts/provider.ts'
import { fail } from '../../../domain/errors.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { formatByteSize, parseByteSize } from '../../../domain/text/units.ts'
import type { Invocation } from '../../program/command.ts'
import { askSecret, isInteractive, readLineOf } from '../../program/prompts.ts'

/** `claim: value -> what it gives`, as often as needed; all of them replace those that there were. */
export const mapOption = new Option(
  '--map <entry>',
  'what a value gives, such as "groups: it-admins -> administrator", "… -> group Film crew" or "… -> quota 20GiB"; may be repeated, "" for none',
).argParser((text: string, before?: readonly Mapping[]) => [...(before ?? []), ...mappingFrom(text)])

export const secretOptions = [
  new Option('--secret-stdin', 'read the secret from standard input'),
  new Option('--secret-file <file>', 'the daemon reads the secret from this file whenever it needs it'),
  new Option('--secret-variable <name>', 'the daemon takes the secret from this variable of its environment'),
]

const ENTRY = /^\s*([^\s:]+)\s*:\s*(.*?)\s*->\s*(administrator|group\s+(\S.*?)|quota\s+(\S+))\s*$/

/** Of a group, its name stands for the id: see `withGroupIds`. @throws INVALID_INPUT */
function mappingFrom(text: string): Mapping[] {
  if (text.trim() === '') return []
  const [, claim, value, gives, group, quota] = ENTRY.exec(text) ?? []
  const bytes = quota === undefined ? undefined : parseByteSize(quota)
  if (claim === undefined || value === undefined || (quota !== undefined && bytes === undefined)) {
    const example = 'such as "groups: it-admins -> administrator"'
    return fail('INVALID_INPUT', `--map: "${text}" is no mapping, ${example}`, { field: 'map' })
  }
  const entry = { claim, value }
  if (gives === 'administrator') return [{ ...entry, administrator: true }]
  if (bytes !== undefined) return [{ ...entry, quota: bytes }]
  return [{ ...entry, group: group as GroupId }]
}

export function mappingText({ claim, value, administrator, group, quota }: Mapping): string {
  const given = administrator === true ? 'administrator' : group === undefined ? '' : `group ${group}`
  return `${claim}: ${value} -> ${quota === undefined ? given : `quota ${formatByteSize(quota)}`}`
}

/**
 * The secret that was given, if any; otherwise it is asked for, where somebody can answer.
 *
 * @param question undefined not to ask
 */
export async function secretFrom(
  invocation: Invocation,
  question: string | undefined,
): Promise<{ secret?: string; secretFile?: string; secretVariable?: string }> {
  const { values, terminal } = invocation
  const { secretStdin, secretFile, secretVariable } = values
  if ([secretStdin, secretFile, secretVariable].filter((value) => value !== undefined).length > 1)
    fail('INVALID_INPUT', 'a secret comes from one place: use only one of the flags', { field: 'secret' })
  if (secretStdin === true) return { secret: await readLineOf(terminal.stdin, 'secret-stdin') }
  if (typeof secretFile === 'string') return { secretFile: resolve(terminal.cwd(), secretFile) }
  if (typeof secretVariable === 'string') return { secretVariable }
  if (question === undefined || !isInteractive(terminal)) return {}
  return { secret: await askSecret(question, invocation) }
}
