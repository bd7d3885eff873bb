// ESLint for the page. The rules are built in: no plugin is installed.
const browser = Object.fromEntries([
  'addEventListener', 'atob', 'Blob', 'clearTimeout', 'DecompressionStream',
  'devicePixelRatio', 'document', 'innerHeight', 'innerWidth', 'location',
  'matchMedia', 'performance', 'ResizeObserver', 'Response', 'setTimeout',
  'TextDecoder', 'window',
].map((name) => [name, 'readonly']));

const rules = {
  'array-callback-return': 'error',
  'constructor-super': 'error',
  'consistent-return': 'off',
  curly: ['error', 'multi-line'],
  'default-case-last': 'error',
  eqeqeq: 'error',
  'for-direction': 'error',
  'getter-return': 'error',
  'max-lines': ['error', 400],
  'no-async-promise-executor': 'error',
  'no-class-assign': 'error',
  'no-cond-assign': 'error',
  'no-const-assign': 'error',
  'no-control-regex': 'error',
  'no-debugger': 'error',
  'no-dupe-args': 'error',
  'no-dupe-class-members': 'error',
  'no-dupe-else-if': 'error',
  'no-dupe-keys': 'error',
  'no-duplicate-imports': 'error',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-fallthrough': 'error',
  'no-implied-eval': 'error',
  'no-loss-of-precision': 'error',
  'no-new-func': 'error',
  'no-param-reassign': 'off',
  'no-redeclare': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-shadow': 'error',
  'no-sparse-arrays': 'error',
  'no-this-before-super': 'error',
  'no-undef': 'error',
  'no-unreachable': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-negation': 'error',
  'no-unused-expressions': ['error', { allowTernary: false }],
  'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'use-isnan': 'error',
  'valid-typeof': 'error',
  // Names are hostile: no way from a string to HTML or code.
  'no-restricted-properties': ['error',
    ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe',
      'createContextualFragment', 'cssText'].map((property) => ({
      property, message: 'Names reach the page as text alone.',
    })),
    { object: 'document', property: 'write' }],
  'no-restricted-syntax': ['error', {
    // Packing drops indentation, also inside such a literal.
    selector: 'TemplateElement[value.raw=/\\n/]',
    message: 'No literal may span lines.',
  }, {
    selector: 'SpreadElement > CallExpression[callee.property.name="subarray"]',
    message: 'Spreading a large array overflows the stack.',
  }],
};

export default [
  { ignores: ['node_modules/'] },
  {
    files: ['src/*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules,
  },
  {
    files: ['test/*.js', 'eslint.config.js'],
    languageOptions: {
      ecmaVersion: 2023, sourceType: 'module',
      globals: { TextEncoder: 'readonly', URL: 'readonly', performance: 'readonly' },
    },
    rules,
  },
];
