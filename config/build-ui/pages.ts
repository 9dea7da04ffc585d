/** Sources of the page that are chunks of their own, by what a browser fetches for each page. */

const EVERY_PAGE = ['index.html']

/** A folder with everything on it that comes without a press of the user. */
export const FILE_SCREEN = [
  ...EVERY_PAGE,
  'src/files/uploads/uploads-root.tsx',
  'src/app/signed-in-layout.tsx',
  'src/app/screens/files-screen.tsx',
  'src/kit/menu/menu-popup.tsx',
  'src/kit/tooltip/tooltip.tsx',
  'src/kit/feedback/toaster.tsx',
  'src/app/install-worker.ts',
]

export const LOGIN = [...EVERY_PAGE, 'src/sign-in/login-page.tsx', 'src/app/install-worker.ts']

/** A public link to a folder. */
export const SHARE = [
  ...EVERY_PAGE,
  'src/app/screens/share-screen.tsx',
  'src/public/folder/folder-page.tsx',
  'src/app/install-worker.ts',
]
