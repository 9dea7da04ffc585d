import { JobsHost } from '../features/jobs/jobs-host.tsx'
import { useWorkRoot } from '../work/use-work-root.ts'

/** What people do with files, on every screen, and what is going on. */
export function WorkRoot() {
  const activity = useWorkRoot()
  return <JobsHost activity={activity} />
}
