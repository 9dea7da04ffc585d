import { markdownToHtml } from './markdown-to-html.ts'
import type { MarkdownResponse, MarkdownRequest } from './markdown-renderer.ts'

/** Runs in a worker, since a malicious document can keep any Markdown parser busy for minutes. */
self.onmessage = ({ data: { id, markdown } }: MessageEvent<MarkdownRequest>): void => {
  const response: MarkdownResponse = { id, html: markdownToHtml(markdown) }
  self.postMessage(response)
}
