import { Type, type Static } from 'typebox'
import { splitCommand } from '../text/command-words.ts'
import { fail } from '../errors.ts'

export const HOOKED = ['save', 'copy', 'rename', 'upload', 'delete'] as const
/** Operations that hooks run before or after. */
export type Hooked = (typeof HOOKED)[number]

export const HOOK_EVENTS = HOOKED.flatMap((event) => [`before_${event}`, `after_${event}`])

/** Prefix of the event name under which disabled lines are stored. */
export const DISABLED = 'disabled_'

/** Passed to hooks as environment variables, and as arguments in place of the word `$NAME`. */
export const HOOK_VARIABLES = ['FILE', 'SCOPE', 'TRIGGER', 'USERNAME', 'DESTINATION', 'VISITOR'] as const
export type HookValues = Readonly<Record<(typeof HOOK_VARIABLES)[number], string>>

/** Per event. */
export const MAX_HOOKS = 100
/** In seconds. */
export const HOOK_TIMEOUT = { default: 60, min: 1, max: 3600 } as const
/** In bytes. */
export const HOOK_OUTPUT = { default: 1024 * 1024, min: 1024, max: 64 * 1024 * 1024 } as const

const timeout = Type.Integer({
  default: HOOK_TIMEOUT.default,
  minimum: HOOK_TIMEOUT.min,
  maximum: HOOK_TIMEOUT.max,
  description: 'Seconds; a program that takes longer is stopped and counts as failed',
})

const outputLimit = Type.Integer({
  default: HOOK_OUTPUT.default,
  minimum: HOOK_OUTPUT.min,
  maximum: HOOK_OUTPUT.max,
  description: 'Bytes of stdout and stderr together; a program that writes more is stopped and counts as failed',
})

const onFailure = Type.Enum(['refuse', 'ignore'], {
  default: 'refuse',
  description: 'Whether a failed before_ hook refuses the operation; a failed after_ hook undoes nothing',
})

const line = Type.String({ minLength: 1, maxLength: 4096, description: 'Program and arguments; no shell is involved' })

/** Options of a hook that its line cannot express. */
export const HookLimits = Type.Object({
  event: Type.String({ maxLength: 64 }),
  line,
  timeout,
  outputLimit: Type.Optional(outputLimit),
  onFailure,
  id: Type.Optional(Type.String({ maxLength: 64, description: 'If it is not derived from event and line' })),
  place: Type.Optional(Type.Integer({ minimum: 0, description: 'Of a disabled hook, among all of its event' })),
})
export type HookLimits = Static<typeof HookLimits>

export const NewHook = Type.Object({
  event: Type.Enum(HOOK_EVENTS, { description: 'When it runs' }),
  line,
  timeout: Type.Optional(timeout),
  outputLimit: Type.Optional(outputLimit),
  onFailure: Type.Optional(onFailure),
})
export type NewHook = Static<typeof NewHook>

/** Absent fields stay unchanged. */
export const HookChange = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  line: Type.Optional(line),
  timeout: Type.Optional(timeout),
  outputLimit: Type.Optional(outputLimit),
  onFailure: Type.Optional(onFailure),
  place: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Position among the hooks of its event, 0 for the first',
    }),
  ),
})
export type HookChange = Static<typeof HookChange>

export const Hook = Type.Object({
  id: Type.String({ description: 'Stays the same when the hook is changed' }),
  event: Type.String(),
  line: Type.String({ description: 'As written' }),
  enabled: Type.Boolean({ description: 'Whether this hook is on' }),
  waits: Type.Boolean({
    description: 'False for a line that ends in "&": the operation does not wait, and a failure is only logged',
  }),
  timeout,
  outputLimit,
  onFailure,
})
export type Hook = Static<typeof Hook>

export const HookList = Type.Object({
  running: Type.Boolean({ description: 'Whether hooks run at all: only if the server was started with --enable-exec' }),
  hooks: Type.Array(Hook),
})
export type HookList = Static<typeof HookList>

export const HookTrial = Type.Object({
  exitCode: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if it was stopped by a signal' }),
  ended: Type.Union([
    Type.Literal('by itself'),
    Type.Literal('timeout'),
    Type.Literal('output'),
    Type.Literal('abort'),
  ]),
  stdout: Type.String(),
  stderr: Type.String(),
})
export type HookTrial = Static<typeof HookTrial>

/** @throws INVALID_INPUT for what is no event of hooks */
export function requireHookEvent(event: string): string {
  if (HOOK_EVENTS.includes(event)) return event
  return fail('INVALID_INPUT', `there is no event ${event}; take one of ${HOOK_EVENTS.join(', ')}`, { field: 'event' })
}

/** The program of a hook and its arguments, before variables are replaced. */
export interface HookCommand {
  readonly argv: readonly [string, ...string[]]
  readonly waits: boolean
}

const SHELLS = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'ksh',
  'fish',
  'csh',
  'tcsh',
  'pwsh',
  'powershell',
  'cmd',
  'cmd.exe',
])
const ADVICE = 'hooks run without a shell: put it into a script file and run that'

/** False for a line that ends in "&": such a hook runs in the background. */
export function isWaitedFor(line: string): boolean {
  return !/(^|\s)&\s*$/.test(line)
}

/**
 * Parses the line of a hook and refuses everything that needs a shell: a shell would interpret file names as code
 * (CVE-2026-35585).
 *
 * @throws INVALID_INPUT with the advice to use a script file
 */
export function parseHookLine(text: string): HookCommand {
  if (text.includes('\0')) fail('INVALID_INPUT', 'a hook cannot contain a NUL character')
  const waits = isWaitedFor(text)
  const words = splitCommand(waits ? text : text.replace(/&\s*$/, ''))
  for (const { text: word, forShell } of words) {
    if (forShell !== undefined) fail('INVALID_INPUT', `"${forShell}" in the hook "${text}" needs a shell; ${ADVICE}`)
    requireWholeVariable(word, text)
  }
  const [program, ...rest] = words.map((word) => word.text)
  if (program === undefined || program === '') fail('INVALID_INPUT', 'a hook needs a program to run')
  if (program.includes('$')) fail('INVALID_INPUT', 'the program of a hook cannot be a variable')
  if (runsShell([program, ...rest])) fail('INVALID_INPUT', `the hook "${text}" runs a shell; ${ADVICE}`)
  return { argv: [program, ...rest], waits }
}

/** `$FILE` as a whole word is exactly one argument, whatever the file's name. Inside a word it would need a shell. */
function requireWholeVariable(word: string, text: string): void {
  if (!/\$[\w{(]/.test(word) || variableOf(word) !== undefined) return
  const known = HOOK_VARIABLES.map((name) => `$${name}`).join(', ')
  fail('INVALID_INPUT', `"${word}" in the hook "${text}": only ${known} as a whole word is replaced; ${ADVICE}`)
}

function variableOf(word: string): keyof HookValues | undefined {
  return HOOK_VARIABLES.find((name) => word === `$${name}` || word === `\${${name}}`)
}

/** True for `sh -c …`, also after a wrapper such as `env` or `busybox`. */
function runsShell(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase()
    const options = words.slice(index + 1)
    return SHELLS.has(name) && options.some((option) => /^(-[a-z]*c[a-z]*|\/c|-command)$/i.test(option))
  })
}

/**
 * Replaces variables by their values; each is one whole argument and is not parsed again.
 *
 * @throws INVALID_INPUT for a value that the program would take for an option
 */
export function hookArguments({ argv }: HookCommand, values: HookValues): [string, ...string[]] {
  const [program, ...rest] = argv
  const filled = rest.map((word) => {
    const name = variableOf(word)
    if (name === undefined) return word
    if (!values[name].startsWith('-')) return values[name]
    return fail('INVALID_INPUT', `${name} begins with a dash: read it from the environment in the hook`)
  })
  return [program, ...filled]
}
