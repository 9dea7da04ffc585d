import type { Resource } from '../../../src/domain/resource.ts'
import { childOf, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { startDownload } from '../lib/start-download.ts'
import { lastFormat } from '../files/actions/archive-formats.ts'
import { archiveUrl } from '../files/actions/download-url.ts'
import type { Target } from '../files/actions/work.ts'
import type { OpenShare } from './public-parts.ts'
import { useCopyLink } from './use-copy-link.ts'

const DownloadQuestion = lazyPrompt(
  async () => (await import('../files/actions/prompts/download-prompt.tsx')).DownloadPrompt,
)

/** What a visitor may do: have things, and pass links on. */
export interface ShareWork {
  /** At once: a file as it is, all else as an archive of the kind that was chosen last. */
  download(items: readonly Resource[]): void
  /** Asks for the kind of archive. */
  downloadAs(items: readonly Resource[]): void
  copyLink(path: string): void
}

/** @param total how much there is in the folder: everything needs no names. Without items the whole folder is meant. */
export function useShareWork(share: OpenShare, folder: VirtualPath, total: number): ShareWork {
  const ask = usePrompt()

  const targetOf = (entries: readonly Resource[]): Target => {
    const items = entries.map((entry) => ({ ...entry, path: childOf(folder, entry.name) }))
    return { folder, count: items.length, items: () => items, all: items.length === 0 || items.length === total }
  }
  const downloadAs = (entries: readonly Resource[]): void => {
    const question = { target: targetOf(entries), rawUrl: share.urls.download, rootName: share.name }
    void ask(DownloadQuestion, question)
  }
  const copyLink = useCopyLink(share)
  return {
    downloadAs,
    copyLink,
    download(entries) {
      const [only] = entries
      if (entries.length === 1 && only?.isDir === false) {
        startDownload(share.urls.download(childOf(folder, only.name)), only.name)
        return
      }
      const target = targetOf(entries)
      const url = archiveUrl(share.urls.download, { folder, items: target.items(), all: target.all }, lastFormat())
      // Too many for one address: the prompt says so, and what to do.
      if (url === undefined) downloadAs(entries)
      else startDownload(url)
    },
  }
}
