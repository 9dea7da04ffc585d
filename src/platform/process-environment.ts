/** Where programs are looked for, whatever the daemon was started with: a folder that somebody may write to is not among them. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What a program needs to know of its surroundings to write and to tell the time as people here do. */
const PASSED_ON = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'HOME', 'TMPDIR'] as const

/** The environment of a program that we start: our own holds secrets (tokens of other services, passwords of a first start). */
export function programEnvironment(
  extra: Readonly<Record<string, string>> = {},
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))
  return { PATH, ...(Object.fromEntries(passed) as Record<string, string>), ...extra }
}
