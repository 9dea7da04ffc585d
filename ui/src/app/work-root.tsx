import { JobsHost } from '../files/jobs/jobs-host.tsx'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { useWorkRoot } from '../files/actions/use-work-root.ts'

const ShareQuestion = lazyPrompt(async () => (await import('../files/share/prompts/share-prompt.tsx')).SharePrompt)

/** What people do with files, on every screen, and what is going on. */
export function WorkRoot() {
  const ask = usePrompt()
  const activity = useWorkRoot((item) => ask(ShareQuestion, { item }))
  return <JobsHost activity={activity} />
}
