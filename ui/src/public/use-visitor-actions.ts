import type { Resource } from '../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { archiveUrl, lastFormat } from '../files/actions/download.ts'
import type { Target } from '../files/actions/model.ts'
import { useText } from '../i18n/use-text.tsx'
import { useToasts } from '../kit/feedback/toast.tsx'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { startDownload } from '../lib/start-download.ts'
import { type OpenShare, useCopyLink } from './open-share.ts'

const DownloadQuestion = lazyPrompt(
  async () => (await import('../files/actions/prompts/download-prompt.tsx')).DownloadPrompt,
)

/** What a visitor can do: download entries and copy links. */
export interface VisitorActions {
  /** False for a link that is only for viewing, or used up. */
  readonly mayDownload: boolean
  /** Downloads at once: a single file unchanged, anything else as an archive in the last used format. */
  download(items: readonly Resource[]): void
  /** Asks for the archive format first. */
  downloadAs(items: readonly Resource[]): void
  copyLink(path: string): void
}

/** @param total number of entries in the folder; an empty selection means the whole folder */
export function useVisitorActions(share: OpenShare, folder: VirtualPath, total: number): VisitorActions {
  const ask = usePrompt()
  const t = useText()
  const toasts = useToasts()

  const targetOf = (entries: readonly Resource[]): Target => {
    const items = entries.map((entry) => ({ ...entry, path: childOf(folder, entry.name) }))
    return { folder, count: items.length, items: () => items, all: items.length === 0 || items.length === total }
  }
  const downloadAs = (entries: readonly Resource[]): void => {
    const question = { target: targetOf(entries), source: share.urls, rootName: share.name }
    void ask(DownloadQuestion, question)
  }
  const copyLink = useCopyLink(share)
  return {
    mayDownload: share.mayDownload && share.downloadsLeft !== 0,
    downloadAs,
    copyLink,
    download(entries) {
      const [only] = entries
      if (entries.length === 1 && only?.isDir === false) {
        startDownload(share.urls.download(childOf(folder, only.name)), only.name)
        return
      }
      const target = targetOf(entries)
      void archiveUrl(share.urls, { ...target, items: target.items() }, lastFormat()).then(
        (url) => startDownload(url),
        async (error: unknown) => {
          const { downloadProblem } = await import('../files/actions/batches/download-problem.ts')
          toasts.error(downloadProblem(t, error))
        },
      )
    },
  }
}
