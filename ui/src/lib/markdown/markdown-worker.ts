import { markdownToHtml } from './markdown-to-html.ts'
import type { MarkdownAnswer, MarkdownQuestion } from './markdown-renderer.ts'

/** In a worker, since a malicious document can keep any Markdown parser busy for minutes. */
self.onmessage = ({ data: { id, markdown } }: MessageEvent<MarkdownQuestion>): void => {
  const answer: MarkdownAnswer = { id, html: markdownToHtml(markdown) }
  self.postMessage(answer)
}
