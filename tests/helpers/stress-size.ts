/** `FILEMGR_STRESS=long npm test -- stress` uses the sizes of a release, which take minutes. */
export const isLong = process.env['FILEMGR_STRESS'] === 'long'
