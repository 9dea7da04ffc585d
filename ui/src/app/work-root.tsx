import { useWorkRoot } from '../work/use-work-root.ts'

/** What people do with files, on every screen, and what is going on. */
export function WorkRoot() {
  useWorkRoot()
  return null
}
