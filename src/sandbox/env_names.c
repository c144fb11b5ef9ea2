/* SPDX-License-Identifier: MIT */

/*
 * Which variables the filter drops, and why: the tables.
 *
 * Where a variable only *configures* a program, or names one in the way that people do every day
 * (CC, EDITOR, PAGER, GIT_PAGER, MAKEFLAGS, PYTHONPATH, GOFLAGS), it stays: the sandbox confines
 * what such a program does. Dropped are those that run code behind the back of a command that
 * looks harmless, and that nobody needs to build or test something.
 */

#include "sandbox/environment.h"

#include "base/attr.h"

#include <string.h>

#define CREDENTIAL "holds a credential"
#define CREDENTIAL_FILE "names a file of credentials"
#define ACCOUNT "identifies a cloud account or its credentials"
#define CONNECTION "a connection string, which usually holds a password"
#define LOADER "makes the dynamic loader put code into every program"
#define LIBC "makes the C library load a file or resolve names differently"
#define SHELL_CODE "makes a shell run code that is not in the script"
#define SHELL_READS "changes how a shell reads a script"
#define GIT_RUNS "makes git run a program"
#define GIT_CONFIGURES "puts settings into git, some of which run programs"
#define TRANSPORT "names a program that is run to open a connection"
#define INTERPRETER "makes an interpreter run code before the program"
#define RUNTIME "makes a language's runtime load an agent or a module"
#define OPTIONS "adds options to a program, some of which run commands"
#define STARTUP_FILE "names a file of commands that a program runs when it starts"
#define COMPILE_SERVER "hands compilations to a server outside the sandbox"
#define BUS "leads to a message bus, whose services act outside the sandbox"
#define SCREEN "leads to the display, where input can be read and typed into other windows"
#define TERMINAL "leads to a terminal or multiplexer that types into other terminals"
#define EDITOR_SERVER "leads to the user's editor, which runs commands outside the sandbox"
#define WINDOW_MANAGER "leads to the window manager, which starts programs outside the sandbox"
#define ENGINE "leads to a container engine, which can mount the whole file system"
#define AGENT "leads to an agent that uses the user's keys"
#define SERVICE "belongs to the service manager's protocol with the calling process"

#define NAME(text, reason)                                                                         \
	{                                                                                          \
		BAILEY_ENV_NAME, text, reason                                                      \
	}
#define PREFIX(text, reason)                                                                       \
	{                                                                                          \
		BAILEY_ENV_PREFIX, text, reason                                                    \
	}
#define SUFFIX(text, reason)                                                                       \
	{                                                                                          \
		BAILEY_ENV_SUFFIX, text, reason                                                    \
	}
#define PART(text, reason)                                                                         \
	{                                                                                          \
		BAILEY_ENV_PART, text, reason                                                      \
	}

static const struct bailey_env_rule rules[] = {
	/* vtcode-safety's FILTERED_ENV_VARS */
	NAME("OPENAI_API_KEY", CREDENTIAL),
	NAME("ANTHROPIC_API_KEY", CREDENTIAL),
	NAME("GEMINI_API_KEY", CREDENTIAL),
	NAME("XAI_API_KEY", CREDENTIAL),
	NAME("DEEPSEEK_API_KEY", CREDENTIAL),
	NAME("META_API_KEY", CREDENTIAL),
	NAME("MODEL_API_KEY", CREDENTIAL),
	NAME("OPENROUTER_API_KEY", CREDENTIAL),
	NAME("GROQ_API_KEY", CREDENTIAL),
	NAME("MISTRAL_API_KEY", CREDENTIAL),
	NAME("COHERE_API_KEY", CREDENTIAL),
	NAME("AZURE_OPENAI_API_KEY", CREDENTIAL),
	NAME("HUGGINGFACE_API_KEY", CREDENTIAL),
	NAME("HF_TOKEN", CREDENTIAL),
	NAME("AWS_ACCESS_KEY_ID", CREDENTIAL),
	NAME("AWS_SECRET_ACCESS_KEY", CREDENTIAL),
	NAME("AWS_SESSION_TOKEN", CREDENTIAL),
	NAME("GOOGLE_APPLICATION_CREDENTIALS", CREDENTIAL_FILE),
	NAME("GOOGLE_CLOUD_PROJECT", ACCOUNT),
	NAME("AZURE_CLIENT_ID", ACCOUNT),
	NAME("AZURE_CLIENT_SECRET", CREDENTIAL),
	NAME("AZURE_TENANT_ID", ACCOUNT),
	NAME("AZURE_SUBSCRIPTION_ID", ACCOUNT),
	NAME("GITHUB_TOKEN", CREDENTIAL),
	NAME("GH_TOKEN", CREDENTIAL),
	NAME("GITHUB_PAT", CREDENTIAL),
	NAME("NPM_TOKEN", CREDENTIAL),
	NAME("NPM_AUTH_TOKEN", CREDENTIAL),
	NAME("CARGO_REGISTRY_TOKEN", CREDENTIAL),
	NAME("PYPI_TOKEN", CREDENTIAL),
	NAME("DATABASE_URL", CONNECTION),
	NAME("DB_PASSWORD", CREDENTIAL),
	NAME("PGPASSWORD", CREDENTIAL),
	NAME("MYSQL_PWD", CREDENTIAL),
	NAME("REDIS_PASSWORD", CREDENTIAL),
	NAME("MONGO_PASSWORD", CREDENTIAL),
	NAME("SSH_AUTH_SOCK", AGENT),
	NAME("GPG_AGENT_INFO", AGENT),
	NAME("LD_PRELOAD", LOADER),
	NAME("LD_LIBRARY_PATH", LOADER),
	NAME("LD_AUDIT", LOADER),
	NAME("LD_DEBUG", LOADER),
	NAME("LD_PROFILE", LOADER),
	NAME("DYLD_INSERT_LIBRARIES", LOADER),
	NAME("DYLD_LIBRARY_PATH", LOADER),
	NAME("DYLD_FRAMEWORK_PATH", LOADER),
	NAME("DYLD_FALLBACK_LIBRARY_PATH", LOADER),
	NAME("VAULT_TOKEN", CREDENTIAL),
	NAME("CONSUL_HTTP_TOKEN", CREDENTIAL),
	NAME("DOCKER_AUTH_CONFIG", CREDENTIAL),
	NAME("KUBECONFIG", CREDENTIAL_FILE),
	NAME("KUBE_TOKEN", CREDENTIAL),
	NAME("SLACK_TOKEN", CREDENTIAL),
	NAME("SLACK_BOT_TOKEN", CREDENTIAL),
	NAME("DISCORD_TOKEN", CREDENTIAL),
	NAME("TELEGRAM_BOT_TOKEN", CREDENTIAL),
	NAME("TOKEN", CREDENTIAL),
	NAME("SECRET", CREDENTIAL),
	NAME("PASSWORD", CREDENTIAL),
	NAME("PASS", CREDENTIAL),
	NAME("PWD", "'pwd' also stands for a password; the working directory is set anew"),
	NAME("CREDENTIALS", CREDENTIAL),
	PREFIX("AWS_", ACCOUNT),
	PREFIX("AZURE_", ACCOUNT),
	PREFIX("GOOGLE_", ACCOUNT),
	PREFIX("GCP_", ACCOUNT),
	PREFIX("CLOUDSDK_", ACCOUNT),
	PREFIX("LD_", LOADER),
	PREFIX("DYLD_", LOADER),
	SUFFIX("_TOKEN", CREDENTIAL),
	SUFFIX("_KEY", CREDENTIAL),
	SUFFIX("_SECRET", CREDENTIAL),
	SUFFIX("_PASS", CREDENTIAL),
	SUFFIX("_PWD", CREDENTIAL),
	SUFFIX("_PASSWORD", CREDENTIAL),
	SUFFIX("_CREDENTIALS", CREDENTIAL),

	/* credentials under further names */
	PART("TOKEN", CREDENTIAL),
	PART("SECRET", CREDENTIAL),
	PART("PASSWORD", CREDENTIAL),
	PART("PASSWD", CREDENTIAL),
	PART("PASSPHRASE", CREDENTIAL),
	PART("CREDENTIALS", CREDENTIAL),
	PART("CREDENTIAL", CREDENTIAL),
	PART("APIKEY", CREDENTIAL),
	PART("AUTHTOKEN", CREDENTIAL), /* npm_config_//registry/:_authToken */
	SUFFIX("_PAT", CREDENTIAL),
	SUFFIX("_AUTH", CREDENTIAL), /* COMPOSER_AUTH, npm_config__auth */
	SUFFIX("_COOKIE", CREDENTIAL),
	SUFFIX("_ACCESS_KEY_ID", CREDENTIAL),
	SUFFIX("_WEBHOOK_URL", CREDENTIAL),
	SUFFIX("_DSN", CONNECTION),
	SUFFIX("_CONNECTION_STRING", CONNECTION),
	SUFFIX("_DATABASE_URL", CONNECTION),
	NAME("REDIS_URL", CONNECTION),
	NAME("MONGO_URL", CONNECTION),
	NAME("MONGODB_URI", CONNECTION),
	NAME("POSTGRES_URL", CONNECTION),
	NAME("AMQP_URL", CONNECTION),
	PREFIX("OP_SESSION_", CREDENTIAL), /* 1Password */
	NAME("BW_SESSION", CREDENTIAL),	   /* Bitwarden */
	NAME("NETRC", CREDENTIAL_FILE),
	NAME("PGPASSFILE", CREDENTIAL_FILE),
	NAME("DOCKER_CONFIG", CREDENTIAL_FILE),
	NAME("REGISTRY_AUTH_FILE", CREDENTIAL_FILE),
	NAME("KRB5CCNAME", CREDENTIAL_FILE),

	/* the C library: what ld.so(8) drops for set-user-ID programs and that can run code or
	 * misdirect a name; locale and terminal paths stay, as whole distributions need them */
	NAME("GCONV_PATH", LIBC),
	NAME("GETCONF_DIR", LIBC),
	NAME("GLIBC_TUNABLES", LIBC),
	NAME("HOSTALIASES", LIBC),
	NAME("LOCALDOMAIN", LIBC),
	NAME("RESOLV_HOST_CONF", LIBC),
	NAME("RES_OPTIONS", LIBC),

	/* shells */
	PREFIX("BASH_FUNC_", SHELL_CODE),
	NAME("BASH_ENV", SHELL_CODE),
	NAME("ENV", SHELL_CODE),
	NAME("ZDOTDIR", SHELL_CODE),
	NAME("PROMPT_COMMAND", SHELL_CODE),
	NAME("PS0", SHELL_CODE),
	NAME("PS4", SHELL_CODE), /* expanded for every command under set -x */
	NAME("SHELLOPTS", SHELL_READS),
	NAME("BASHOPTS", SHELL_READS),
	NAME("IFS", SHELL_READS),
	NAME("CDPATH", SHELL_READS), /* cd goes elsewhere, and prints */
	NAME("GLOBIGNORE", SHELL_READS),
	NAME("FPATH", SHELL_CODE), /* ksh and zsh load functions from it */

	/* git, and programs that connect through another one */
	NAME("GIT_SSH", TRANSPORT),
	NAME("GIT_SSH_COMMAND", TRANSPORT),
	NAME("GIT_PROXY_COMMAND", TRANSPORT),
	NAME("GIT_ALLOW_PROTOCOL", TRANSPORT), /* "ext" runs a command */
	NAME("GIT_EXTERNAL_DIFF", GIT_RUNS),
	NAME("GIT_ASKPASS", GIT_RUNS),
	NAME("GIT_EXEC_PATH", GIT_RUNS),
	NAME("GIT_TEMPLATE_DIR", GIT_RUNS), /* new repositories get their hooks from it */
	NAME("GIT_CONFIG", GIT_CONFIGURES),
	PREFIX("GIT_CONFIG_", GIT_CONFIGURES),
	NAME("SSH_ASKPASS", TRANSPORT),
	NAME("SUDO_ASKPASS", TRANSPORT),
	NAME("RSYNC_RSH", TRANSPORT),
	NAME("RSYNC_CONNECT_PROG", TRANSPORT),
	NAME("CVS_RSH", TRANSPORT),
	NAME("SVN_SSH", TRANSPORT),

	/* interpreters and runtimes */
	NAME("PYTHONSTARTUP", INTERPRETER),
	NAME("PYTHONHOME", INTERPRETER),
	NAME("PYTHONBREAKPOINT", INTERPRETER),
	NAME("PERL5OPT", INTERPRETER),
	NAME("PERL5DB", INTERPRETER),
	NAME("RUBYOPT", INTERPRETER),
	PREFIX("LUA_INIT", INTERPRETER), /* also LUA_INIT_5_4 and so on */
	NAME("PHPRC", INTERPRETER),
	NAME("PHP_INI_SCAN_DIR", INTERPRETER),
	NAME("R_PROFILE", INTERPRETER),
	NAME("R_PROFILE_USER", INTERPRETER),
	NAME("R_ENVIRON", INTERPRETER),
	NAME("R_ENVIRON_USER", INTERPRETER),
	NAME("NODE_OPTIONS", RUNTIME),
	NAME("NODE_REPL_EXTERNAL_MODULE", RUNTIME),
	NAME("NPM_CONFIG_NODE_OPTIONS", RUNTIME),
	NAME("NPM_CONFIG_SCRIPT_SHELL", INTERPRETER),
	NAME("JAVA_TOOL_OPTIONS", RUNTIME),
	NAME("_JAVA_OPTIONS", RUNTIME),
	NAME("JDK_JAVA_OPTIONS", RUNTIME),
	NAME("DOTNET_STARTUP_HOOKS", RUNTIME),
	PREFIX("CORECLR_PROFILER", RUNTIME),
	PREFIX("COR_PROFILER", RUNTIME),
	NAME("ERL_AFLAGS", RUNTIME),
	NAME("ERL_FLAGS", RUNTIME),
	NAME("ERL_ZFLAGS", RUNTIME),
	NAME("OPENSSL_CONF", RUNTIME),
	NAME("OPENSSL_ENGINES", RUNTIME),
	NAME("OPENSSL_MODULES", RUNTIME),

	/* programs that read more than their arguments */
	NAME("LESSOPEN", OPTIONS),
	NAME("LESSCLOSE", OPTIONS),
	NAME("TAR_OPTIONS", OPTIONS),	      /* --checkpoint-action */
	NAME("ZIPOPT", OPTIONS),	      /* -TT */
	NAME("RIPGREP_CONFIG_PATH", OPTIONS), /* --pre */
	NAME("MAKEFILES", OPTIONS),
	NAME("VIMINIT", STARTUP_FILE),
	NAME("GVIMINIT", STARTUP_FILE),
	NAME("EXINIT", STARTUP_FILE),
	NAME("PSQLRC", STARTUP_FILE),
	NAME("RUSTC_WRAPPER", COMPILE_SERVER),
	NAME("RUSTC_WORKSPACE_WRAPPER", COMPILE_SERVER),
	NAME("CARGO_BUILD_RUSTC_WRAPPER", COMPILE_SERVER),

	/* the user's session */
	NAME("DBUS_SESSION_BUS_ADDRESS", BUS),
	NAME("DBUS_STARTER_ADDRESS", BUS),
	NAME("AT_SPI_BUS_ADDRESS", BUS),
	NAME("DISPLAY", SCREEN),
	NAME("XAUTHORITY", SCREEN),
	NAME("WAYLAND_DISPLAY", SCREEN),
	NAME("WAYLAND_SOCKET", SCREEN),
	NAME("SESSION_MANAGER", SCREEN),
	NAME("I3SOCK", WINDOW_MANAGER),
	NAME("SWAYSOCK", WINDOW_MANAGER),
	NAME("HYPRLAND_INSTANCE_SIGNATURE", WINDOW_MANAGER),
	NAME("NIRI_SOCKET", WINDOW_MANAGER),
	NAME("BSPWM_SOCKET", WINDOW_MANAGER),
	NAME("TMUX", TERMINAL),
	NAME("TMUX_PANE", TERMINAL),
	NAME("STY", TERMINAL), /* GNU screen */
	NAME("ZELLIJ_SESSION_NAME", TERMINAL),
	NAME("KITTY_LISTEN_ON", TERMINAL),
	NAME("WEZTERM_UNIX_SOCKET", TERMINAL),
	NAME("ALACRITTY_SOCKET", TERMINAL),
	NAME("NVIM", EDITOR_SERVER),
	NAME("NVIM_LISTEN_ADDRESS", EDITOR_SERVER),
	NAME("EMACS_SOCKET_NAME", EDITOR_SERVER),
	NAME("EMACS_SERVER_FILE", EDITOR_SERVER),
	PREFIX("VSCODE_IPC_HOOK", EDITOR_SERVER),
	NAME("VSCODE_GIT_IPC_HANDLE", EDITOR_SERVER),
	PREFIX("VSCODE_GIT_ASKPASS_", EDITOR_SERVER),
	NAME("DOCKER_HOST", ENGINE),
	NAME("DOCKER_CONTEXT", ENGINE),
	NAME("CONTAINER_HOST", ENGINE), /* podman */
	NAME("CONTAINERD_ADDRESS", ENGINE),
	NAME("BUILDKIT_HOST", ENGINE),
	NAME("GNOME_KEYRING_CONTROL", AGENT),
	NAME("NOTIFY_SOCKET", SERVICE),
	NAME("LISTEN_FDS", SERVICE), /* the descriptors do not cross into the sandbox */
	NAME("LISTEN_PID", SERVICE),
	NAME("LISTEN_FDNAMES", SERVICE),
};

/* vtcode-safety's PRESERVED_ENV_VARS */
static const char *const preserved[] = {
	"PATH",
	"HOME",
	"USER",
	"SHELL",
	"TERM",
	"LANG",
	"LC_ALL",
	"LC_CTYPE",
	"TZ",
	"XDG_CONFIG_HOME",
	"XDG_CONFIG_DIRS",
	"XDG_DATA_HOME",
	"XDG_DATA_DIRS",
	"XDG_BIN_HOME",
	"XDG_STATE_HOME",
	"XDG_CACHE_HOME",
	"XDG_RUNTIME_DIR",
	"VTCODE_CONFIG",
	"VTCODE_CONFIG_PATH",
	"VTCODE_DATA",
	"VTCODE_HOME",
	"CODEX_HOME",
	"EDITOR",
	"VISUAL",
	"PAGER",
	"CARGO_HOME",
	"RUSTUP_HOME",
	"GOPATH",
	"GOROOT",
	"JAVA_HOME",
	"PYTHON",
	"PYTHONPATH",
	"NODE_PATH",
	"COLORTERM",
	"FORCE_COLOR",
	"NO_COLOR",
	"CLICOLOR",
	"CLICOLOR_FORCE",
	"TMPDIR",
	"TEMP",
	"TMP",
	NULL,
};

/* Upper case for a letter of ASCII: toupper(3) depends on the locale. */
static char
fold(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool
is_word_char(char c)
{
	return (fold(c) >= 'A' && fold(c) <= 'Z') || (c >= '0' && c <= '9');
}

static bool
same(const char *text, const char *rule, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (fold(text[i]) != rule[i]) {
			return false;
		}
	}
	return true;
}

/* Is one of the parts that `name` falls into equal to `rule`? */
static bool
has_part(const char *name, size_t len, const char *rule, size_t rule_len)
{
	size_t start = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && is_word_char(name[i])) {
			continue;
		}
		if (i - start == rule_len && same(name + start, rule, rule_len)) {
			return true;
		}
		start = i + 1;
	}
	return false;
}

static bool
matches(const struct bailey_env_rule *rule, const char *name, size_t len)
{
	size_t n;

	/* Nearly all rules end here: the first letter is another one. */
	if (rule->match <= BAILEY_ENV_PREFIX && fold(name[0]) != rule->text[0]) {
		return false;
	}
	n = strlen(rule->text);
	if (n > len) {
		return false;
	}
	switch (rule->match) {
	case BAILEY_ENV_NAME:
		return n == len && same(name, rule->text, n);
	case BAILEY_ENV_PREFIX:
		return same(name, rule->text, n);
	case BAILEY_ENV_SUFFIX:
		return same(name + len - n, rule->text, n);
	case BAILEY_ENV_PART:
		return has_part(name, len, rule->text, n);
	}
	return false;
}

const struct bailey_env_rule *
env_rule(const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		if (matches(&rules[i], name, len)) {
			return &rules[i];
		}
	}
	return NULL;
}

bool
env_is_filtered(const char *name)
{
	return env_rule(name, strlen(name)) != NULL;
}

bool
env_is_preserved(const char *name)
{
	for (size_t i = 0; preserved[i] != NULL; i++) {
		if (strcmp(preserved[i], name) == 0) {
			return true;
		}
	}
	return false;
}

const struct bailey_env_rule *
bailey_filtered_env_vars(size_t *count)
{
	*count = COUNT_OF(rules);
	return rules;
}

const char *const *
bailey_preserved_env_vars(size_t *count)
{
	*count = COUNT_OF(preserved) - 1;
	return preserved;
}

bool
bailey_should_filter_env_var(const char *name)
{
	return env_is_filtered(name);
}

const char *
bailey_env_filter_reason(const char *name)
{
	const struct bailey_env_rule *rule = env_rule(name, strlen(name));

	return rule != NULL ? rule->reason : NULL;
}
