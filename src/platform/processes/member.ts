/** The supervisor of `filemgr serve --processes` sets it: "2/4" for the second of four, with "/first" when all of them start. */
export const MEMBER_VARIABLE = 'FILEMGR_MEMBER'

const [number, count, start] = (process.env[MEMBER_VARIABLE] ?? '').split('/')

/** Which of the daemons behind one port this process is. */
export const MEMBER = {
  number: Number(number) || 1,
  /** 1 for a daemon that is alone. */
  count: Number(count) || 1,
  /** Whether it does what happens once: it makes the first account, and says where all of them listen. */
  leads: number === '1' && start === 'first',
} as const

/** The process to which signals for the whole service go. */
export function servicePid(): number {
  return MEMBER.count === 1 ? process.pid : process.ppid
}
