import { markdownToHtml } from './markdown-to-html.ts'
import type { MarkdownAnswer, MarkdownQuestion } from './markdown-renderer.ts'

/** Beside the page, since a document made for it keeps any parser of Markdown busy for minutes. */
self.onmessage = ({ data: { id, markdown } }: MessageEvent<MarkdownQuestion>): void => {
  const answer: MarkdownAnswer = { id, html: markdownToHtml(markdown) }
  self.postMessage(answer)
}
