import { JobsHost } from '../features/jobs/jobs-host.tsx'
import { lazyPrompt, usePrompt } from '../kit/prompt-stack.tsx'
import { useWorkRoot } from '../work/use-work-root.ts'

const ShareQuestion = lazyPrompt(async () => (await import('../features/shares/prompts/share-prompt.tsx')).SharePrompt)

/** What people do with files, on every screen, and what is going on. */
export function WorkRoot() {
  const ask = usePrompt()
  const activity = useWorkRoot((item) => ask(ShareQuestion, { item }))
  return <JobsHost activity={activity} />
}
