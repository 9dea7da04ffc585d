/** What stands before the first rows of a folder are seen; sources of the page that are chunks of their own. */
export const FIRST_VIEW = [
  'index.html',
  'src/app/whole-page.tsx',
  'src/app/signed-in-layout.tsx',
  'src/app/files-screen.tsx',
]

/** What is fetched right after it: see ui/src/app/signed-in-layout.tsx and ui/src/shell/use-idle-preload.ts. */
export const ON_IDLE = [
  'src/app/late-parts.tsx',
  'src/kit/menu/menu-popup.tsx',
  'src/kit/tooltip/tooltip.tsx',
  'src/kit/feedback/toaster.tsx',
]
