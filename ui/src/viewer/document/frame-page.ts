import type { HarmlessDocument } from '../../lib/markdown/sanitise-document.ts'

/** The look of all documents: paper on the background of the viewer, as wide as the window on phones. */
const PAPER = `
  :root { color-scheme: light; font: 12pt/1.4 'Liberation Serif', 'Times New Roman', serif; color: #000; }
  body { margin: 0; overflow-wrap: anywhere; }
  img, svg { max-inline-size: 100%; }
  a[href] { color: #1558d6; }
  .docx-wrapper { display: flex; flex-flow: column; align-items: center; padding: 24px; background: none; }
  .docx-wrapper > section.docx { margin-block-end: 24px; background: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / 0.3); }
  .paper { box-sizing: border-box; inline-size: 794px; max-inline-size: calc(100% - 48px); margin: 24px auto; padding: 72px; background: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / 0.3); }
  .paper p { min-block-size: 1.2em; margin-block: 0; white-space: pre-wrap; }
  .paper table { inline-size: 100%; border-collapse: collapse; }
  .paper td { padding: 2px 6px; border: 1px solid #999; vertical-align: top; }
  .slide { position: relative; inline-size: min(960px, 100% - 48px); margin: 24px auto; overflow: clip; background: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / 0.3); container-type: inline-size; font-family: 'Liberation Sans', Arial, sans-serif; line-height: 1.2; }
  .slide div { box-sizing: border-box; }
  .slide p { margin: 0; white-space: pre-wrap; }
  .slide table { inline-size: 100%; block-size: 100%; border-collapse: collapse; }
  .slide td { padding: 0.5cqw 1cqw; border: 1px solid #999; }
  @media (max-width: 736px) {
    .docx-wrapper { padding: 0; }
    .docx-wrapper > section.docx { inline-size: 100% !important; min-block-size: 0 !important; margin: 0 0 8px; padding: 24px 16px !important; }
    .docx-wrapper table { max-inline-size: 100%; }
    .paper { max-inline-size: 100%; margin: 0; padding: 24px 16px; }
    .slide { inline-size: 100%; margin: 0 0 8px; }
  }`

/**
 * A page for a frame with an origin of its own. It has no scripts, and its policy lets it load nothing: pictures are in the page. It
 * also has the policy of this page, which allows only styles with its nonce.
 */
export function framePage({ html, css }: HarmlessDocument): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:`
  // No style can end its element.
  const styles = `${css}\n${PAPER}`.replaceAll('<', '\\3c ')
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style nonce="${nonce}">${styles}</style></head><body>${html}</body></html>`
}
