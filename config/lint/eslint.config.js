import eslint from '@eslint/js'
import { defineConfig } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** The only code above store, storage and platform that may open files, and for what. */
const MAY_TOUCH_THE_DISK = [
  'src/{store,storage,platform,import,upkeep}/**',
  'src/daemon/**', // daemon.json, sockets, TLS files
  'src/context.ts',
  'src/context/**',
  'src/options/**', // config files
  'src/cli/**', // data folder, tokens of live commands
  'src/http/page/static-files.ts', // the built page
]

const types = (files, project) => ({
  files,
  languageOptions: { parserOptions: { project: `config/${project}`, tsconfigRootDir: process.cwd() } },
})

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Use named exports, so that everything has the same name in all files.',
}

const noSpreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties without "...{ }".',
}

const noMathRandom = { object: 'Math', property: 'random', message: 'Predictable: use platform/security/random.ts.' }
const noExit = {
  object: 'process',
  property: 'exit',
  message: 'Aborts pending writes: set process.exitCode.',
}
/** Output that a full disk has cut off must not look complete. */
const noOwnOutput = [
  {
    object: 'process',
    property: 'stdout',
    message: 'Not checked: write to the stdout of the terminal that a command gets, from terminal/standard-output.ts.',
  },
  { object: 'process', property: 'stderr', message: 'Write to the stderr of the terminal that a command gets.' },
]

/** Two daemons in one process, as in tests, must not share state. */
const noModuleState = ['Program', 'Program > ExportNamedDeclaration'].flatMap((scope) => [
  {
    selector: `${scope} > VariableDeclaration[kind=let]`,
    message: 'No state at module level: hold it in a factory or a class.',
  },
  {
    selector: `${scope} > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
    message: 'No state at module level: hold it in a factory or a class.',
  },
])

/** Command injection: in a shell's command line, a file name can run a program. */
const noShell = ['node:child_process', 'child_process'].map((name) => ({
  name,
  allowImportNames: ['spawn', 'execFile', 'ChildProcess', 'ChildProcessByStdio'],
  message: 'No shell: use platform/processes/process-runner.ts, which takes a list of arguments.',
}))

const noOwnStream = ['node:process', 'process'].map((name) => ({
  name,
  message: 'Not checked: use the streams of the terminal that a command gets.',
}))

/** Imports that are refused in the whole product. */
const noWhere = [...noShell, ...noOwnStream]

const noUngatedCall = ['node:fs', 'node:fs/promises', 'fs', 'fs/promises', '@napi-rs/xattr'].map((name) => ({
  name,
  allowImportNames: ['constants', 'BigIntStats', 'Stats'],
  message: 'One stalled disk must not block the others: use storage/local/system/gated-calls.ts.',
}))

/** The only code that decides about owner, group, mode, access list and times of the users' files. */
const DECIDES_ABOUT_ENTRIES = ['src/storage/local/system/{new-entry,carried-over,inherit,file-times}.ts']

const noOwnDecision = {
  regex: '/gated-calls\\.ts$',
  importNames: ['chmod', 'fchmod', 'chown', 'fchown', 'lchown', 'mkdir', 'symlink', 'utimes', 'futimes', 'lutimes'],
  message: 'Every new entry gets its owner, group and mode in storage/local/system/new-entry.ts.',
}

const noNewFile = {
  selector: 'Identifier[name=O_CREAT]',
  message: 'Every new entry gets its owner, group and mode in storage/local/system/new-entry.ts.',
}

const noShellOption = {
  selector:
    'CallExpression[callee.name=/^(spawn|execFile)$/] > ObjectExpression > Property[key.name="shell"]:not([value.value=false])',
  message: 'No shell: it could run an argument as a command.',
}

const asPath = 'In a URL, a space or a letter beyond ASCII is percent-encoded'

/** Our own files lie wherever somebody has installed them, such as in "/srv/My Tools". */
const noPathOfUrl = {
  property: 'pathname',
  message: `${asPath}: use fileURLToPath(). For addresses on the web, list the file as WEB.`,
}

const noFileUrl = {
  selector: 'Literal[value=/^file:\\u002f\\u002f/], TemplateElement[value.raw=/^file:\\u002f\\u002f/]',
  message: `${asPath}: use pathToFileURL().`,
}

/** Where URLs are addresses on the web. */
const WEB = [
  'src/http/**',
  'src/cli/server-client.ts',
  'src/cli/doctor/proxy-checks.ts',
  'src/domain/server/store-url.ts',
  'src/services/server/usable-options.ts',
]

const compares = 'src/domain/text/fold.ts decides when two texts name the same thing'

/** Names of files and accounts must be the same for all doors, and in all languages of the machine. */
const noOwnFold = [
  {
    selector: 'CallExpression[callee.property.name="normalize"]',
    message: `Use composed(), foldName() or foldForSearch(): ${compares}.`,
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(toLocaleLowerCase|toLocaleUpperCase)$/][arguments.length=0], CallExpression[callee.property.name="localeCompare"][arguments.length=1]',
    message: `Depends on the language of the machine: ${compares}, and createNameOrder() which comes first.`,
  },
]
const noOwnCase = {
  selector: 'CallExpression[callee.property.name=/^to(Lower|Upper)Case$/]',
  message: `Use foldName() or foldForSearch(): ${compares}. For words of a protocol or a format, list the file as TECHNICAL.`,
}

/** Where case is that of words which a protocol, a format or we have chosen, or is only shown. */
const TECHNICAL = [
  'src/http/**', // headers, methods, escapes
  'src/domain/{automation/hook,schema/parse-value,text/option-names,text/units}.ts', // words of settings
  'src/domain/files/{archives/archive-format,name-text,media/media-type,subtitles/ass,subtitles/convert}.ts', // extensions, escapes
  'src/domain/files/renames/new-names.ts', // changes the case of names
  'src/domain/shares/share-terms.ts', // extensions
  'src/domain/accounts/predictable-password.ts',
  'src/platform/security/{common-passwords,recovery-codes}.ts',
  'src/platform/network/ldap/ldap-wire.ts', // names of attributes
  'src/platform/text/detect-encoding.ts', // names of encodings
  'src/services/accounts/auth/throttle.ts', // IPv6
  'src/services/accounts/users/{user-transfer,user-write}.ts', // names of fields
  'src/import/filebrowser/{export,import-settings,old-record}.ts', // names of fields
  'src/services/files/previews/preview-plan.ts', // media types
  'src/storage/{reserved-names,s3/s3-storage}.ts', // names that we give
  'src/cli/{settings-text,share-terms,commands/accounts/users-files}.ts', // extensions
  'src/import/import-source.ts', // extensions
  'ui/src/files/actions/prompts/details/{details,photo-facts}.ts{,x}', // extensions, names of makers
  'ui/src/files/share/terms-fields.tsx', // extensions
  'ui/src/i18n/locales.ts',
  'ui/src/kit/text/names.tsx', // initials
  'ui/src/lib/{editor-themes,file-kind,format,shortcut-keys}.ts',
  'ui/src/lib/markdown/markdown-to-html.ts', // ids of headings
  'ui/src/public/send/sender.ts', // extensions
  'ui/src/shell/sidebar/sidebar.tsx', // initials
  'ui/src/shell/terminal/command-line.tsx', // keys
  'ui/src/viewer/**', // tags and words of formats
]

/** One place decides what text bytes are: domain/text, by platform/text in files that are named to the server or a command. */
const noOwnDecoding = [
  '[arguments.0.type="Literal"]:not([arguments.0.value=/^utf-?8$/i])',
  '[arguments.0.type!="Literal"]',
].map((label) => ({
  selector: `NewExpression[callee.name="TextDecoder"][arguments.length>0]${label}`,
  message: 'Other encodings than UTF-8 are read by domain/text.',
}))

const noGuessOfUtf8 = {
  selector: 'CallExpression[callee.name=/^readFile(Sync)?$/] > Literal[value=/^utf-?8$/i]',
  message: 'People write files in any encoding: use platform/text/read-text-file.ts.',
}

/** All syntax that is refused in the product, and more. A rule replaces the one of the same name in an earlier entry. */
const refuseSyntax = (...more) => ({
  'no-restricted-syntax': [
    'error',
    noDefaultExport,
    noSpreadLiteral,
    noShellOption,
    noFileUrl,
    ...noModuleState,
    ...more,
  ],
})
const noOwnText = [...noOwnDecoding, ...noOwnFold, noOwnCase]

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'node_modules/', '.cache/', 'docs/reference/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  types(['src/**/*.ts'], 'tsconfig/server.json'),
  types(['ui/**/*.{ts,tsx}'], 'tsconfig/ui.json'),
  types(['tests/**/*.{ts,tsx}', 'tools/**/*.ts', 'config/**/*.{ts,js}'], 'tsconfig/tests.json'),
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
      'object-shorthand': 'error',
      'prefer-template': 'error',
      'no-restricted-properties': ['error', noMathRandom, noExit],
      'no-restricted-syntax': ['error', noDefaultExport, noSpreadLiteral],
      '@typescript-eslint/return-await': ['error', 'always'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // We spread strings to get their code points.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Factories return closures, whose functions can be detached safely.
      '@typescript-eslint/unbound-method': 'off',
      // Callbacks that may or may not be async return `void | Promise<void>`.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // We have no enums: Node strips types, it does not compile them.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // A function may be async only because its interface is.
      '@typescript-eslint/require-await': 'off',
      // noPropertyAccessFromIndexSignature requires the brackets that this rule forbids.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'ui/**/*.{ts,tsx}'],
    rules: refuseSyntax(...noOwnText),
  },
  {
    files: ['src/{cli,options}/**/*.ts'],
    ignores: ['src/cli/service/install.ts'], // our own template
    rules: refuseSyntax(...noOwnText, noGuessOfUtf8),
  },
  {
    files: ['src/storage/local/**/*.ts'],
    ignores: DECIDES_ABOUT_ENTRIES,
    rules: refuseSyntax(...noOwnText, noNewFile),
  },
  {
    files: TECHNICAL,
    rules: refuseSyntax(...noOwnDecoding, ...noOwnFold),
  },
  {
    files: ['src/domain/text/encodings.ts'],
    rules: refuseSyntax(...noOwnFold, noOwnCase),
  },
  {
    files: ['src/domain/text/fold.ts'],
    rules: refuseSyntax(...noOwnDecoding),
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: noWhere }] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: MAY_TOUCH_THE_DISK,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...noWhere,
            ...['node:fs', 'node:fs/promises', 'fs', 'fs/promises'].map((name) => ({
              name,
              message: 'Access files through the store or the storage, which enforce scopes and durability.',
            })),
          ],
        },
      ],
    },
  },
  {
    // An ungated call to a stalled disk would block the event loop or a thread that other disks need.
    files: ['src/storage/**/*.ts'],
    ignores: ['src/storage/local/system/{gated-calls,direct-calls}.ts', 'src/storage/local/worker/**'],
    rules: {
      'no-restricted-imports': ['error', { paths: [...noWhere, ...noUngatedCall] }],
    },
  },
  {
    files: ['src/storage/local/**/*.ts'],
    ignores: [
      ...DECIDES_ABOUT_ENTRIES,
      'src/storage/local/system/{gated-calls,direct-calls}.ts',
      'src/storage/local/worker/**',
    ],
    rules: {
      'no-restricted-imports': ['error', { paths: [...noWhere, ...noUngatedCall], patterns: [noOwnDecision] }],
    },
  },
  {
    files: ['{config,tools}/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', noMathRandom, noExit, noPathOfUrl] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: WEB,
    rules: { 'no-restricted-properties': ['error', noMathRandom, noExit, noPathOfUrl, ...noOwnOutput] },
  },
  {
    files: ['src/cli/terminal/standard-output.ts'],
    rules: { 'no-restricted-properties': ['error', noMathRandom, noExit, noPathOfUrl] },
  },
  {
    files: ['src/cli/main.ts'],
    rules: { 'no-restricted-properties': ['error', noMathRandom, noExit, noPathOfUrl, noOwnOutput[0]] },
  },
  {
    files: ['ui/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // The plugin's other rules are for the React compiler, which we do not use.
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['{config,tools}/**'],
    rules: { 'no-console': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    files: ['config/lint/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly' } },
  },
  {
    files: ['ui/public/**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        URL: 'readonly',
        document: 'readonly',
        fetch: 'readonly',
        localStorage: 'readonly',
        location: 'readonly',
      },
    },
  },
  {
    files: ['tests/**'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': [
        'error',
        noDefaultExport,
        noSpreadLiteral,
        {
          selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo)$/]',
          message: 'No skipped or focused tests: run it or delete it.',
        },
      ],
    },
  },
)
