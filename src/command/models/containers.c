/* SPDX-License-Identifier: MIT */

/*
 * Containers and virtual machines: docker and its relatives, compose, lxc, vagrant, libvirt.
 *
 * What only asks the daemon of this machine is harmless; its rows are strict about options. To
 * start something is prompt. Volumes hold data that nobody else has: to delete them is forbidden.
 */

#include "command/models/containers_impl.h"
#include "command/models/models.h"

RULE(starts, "container.run", PROMPT, SYSTEM, "starts containers");
RULE(controls, "container.control", PROMPT, SYSTEM, "starts, stops or changes containers");
RULE(builds, "container.build", PROMPT, EXECUTES, "builds an image, which runs its steps");
RULE(transfers, "container.registry", PROMPT, NETWORK, "talks to a registry of images");
RULE(logs_in, "container.login", PROMPT, DISCLOSURE, "changes who is logged in at a registry");
RULE(saves, "container.save", PROMPT, WRITES, "writes an image or container to a file");
RULE(settings, "container.settings", PROMPT, SYSTEM, "changes settings of the daemon or cluster");
RULE(resets, "container.reset", FORBIDDEN, DELETES,
     "deletes all containers, images, networks and volumes");
RULE(deletes_storage, "container.volume-delete", FORBIDDEN, DELETES,
     "deletes storage with the data in it");
RULE(shows_config, "container.compose-config", PROMPT, DISCLOSURE,
     "prints settings with the values of the environment");
RULE(namespace_shell, "container.unshare", PROMPT, PRIVILEGE, "runs a command in a user namespace");

/* ---- docker ------------------------------------------------------------------------------ */

static const struct option_row docker_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("v", "version"),
	ROW_RULE(NULL, "config", ARG_ONE, &settings),
	ROW_TAKES("Hlc", "host context log-level tlscacert tlscert tlskey connection url "
			 "identity root runroot storage-driver storage-opt namespace address "
			 "cgroup-manager events-backend"),
	ROW_FLAG("D", "debug tls tlsverify remote"),
	OPTIONS_END,
};

static const struct option_row reader_options[] = {
	ROW_FLAG("aqlsftzL", "all quiet latest size no-trunc digests follow timestamps details "
			     "no-stream json human verbose tree services dry-run no-color "
			     "no-log-prefix pod sync cached orphans no-reset"),
	ROW_HELP("h", "help"),
	ROW_TAKES("n", "filter format since until tail last type index protocol status sort depth "
		       "interval hash"),
	OPTIONS_END,
};

static const struct option_row run_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_FLAG("ditPTqb",
		 "detach interactive tty rm publish-all init read-only no-healthcheck "
		 "oom-kill-disable sig-proxy quiet replace no-deps service-ports remove-orphans "
		 "build use-aliases no-tty privileged tls-verify systemd no-hosts rmi"),
	ROW_TAKES(
		"aceEhlmpuvwL",
		"attach cpu-shares env env-file hostname label memory publish user volume workdir "
		"add-host annotate blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile "
		"cpu-period cpu-quota cpus cpuset-cpus cpuset-mems detach-keys device "
		"device-cgroup-rule dns dns-option dns-search domainname entrypoint expose gpus "
		"group-add health-cmd health-interval health-retries health-timeout ip ip6 ipc "
		"isolation kernel-memory label-file link log-driver log-opt mac-address "
		"memory-reservation memory-swap memory-swappiness mount name net network "
		"network-alias oom-score-adj pid pids-limit platform pull restart runtime "
		"security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit "
		"userns uts volume-driver volumes-from pod secret timezone tz arch os "
		"annotation index"),
	OPTIONS_END,
};

static const struct option_row exec_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_FLAG("ditT", "detach interactive tty privileged latest no-tty"),
	ROW_TAKES("euw", "detach-keys env env-file user workdir index cwd"),
	OPTIONS_END,
};

static const struct option_row remove_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_FLAG("fvalisy",
		 "force volumes all link latest no-prune ignore depend stop yes cluster"),
	ROW_TAKES("t", "filter time timeout"),
	OPTIONS_END,
};

static const struct option_row down_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_FLAG("v", "volumes remove-orphans dry-run"),
	ROW_TAKES("t", "rmi timeout"),
	OPTIONS_END,
};

static const struct option_row save_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_PATH("i", "input", DEED_READ),
	ROW_TAKES(NULL, "format platform"),
	ROW_FLAG("qm", "quiet compress multi-image-archive"),
	OPTIONS_END,
};

static const struct option_row build_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_TAKES("tc", "tag target build-arg platform progress network cache-from cache-to label "
			"ulimit shm-size builder add-host attest secret ssh"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_PATH("o", "output iidfile metadata-file", DEED_WRITE),
	OPTIONS_END,
};

#define READS(names)                                                                               \
	{                                                                                          \
		names, NULL, reader_options, NULL, PARSE_NO_ABBREV, 0, NULL, NULL                  \
	}
#define TALKS(names, options, rule)                                                                \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE, FIND_NETWORK, rule, NULL                  \
	}
#define REFINED(names, options, style, refine)                                                     \
	{                                                                                          \
		names, NULL, options, NULL, (style) | PARSE_LOOSE, 0, NULL, refine                 \
	}

static const struct option_row compose_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_TAKES("p", "project-name profile env-file project-directory ansi progress parallel"),
	ROW_FLAG(NULL, "all-resources compatibility dry-run verbose"),
	OPTIONS_END,
};

static const struct program compose_subs[] = {
	READS("ps|ls|images|logs|top|port|version|volumes|events|stats"),
	SUB_DOES("config|convert", &shows_config),
	REFINED("run", run_options, PARSE_POSIX, containers_refine_compose_run),
	REFINED("exec", exec_options, PARSE_POSIX, containers_refine_exec),
	REFINED("down", down_options, 0, containers_refine_down),
	REFINED("rm", remove_options, 0, containers_refine_remove),
	REFINED("cp", NULL, 0, containers_refine_copy),
	TALKS("pull|push|publish", NULL, &transfers),
	SUB_DOES("build|bake", &builds),
	SUB_DOES("up|create|start|restart|watch|scale|unpause|stop|kill|pause|wait|attach|commit|"
		 "export"
		 "|alpha|bridge",
		 &controls),
	PROGRAMS_END,
};

static const struct program docker_subs[] = {
	READS("ps|images|version|info|logs|inspect|top|stats|port|diff|history|events"
	      "|container ls|container list|container ps|container inspect|container logs"
	      "|container top|container stats|container port|container diff|image ls|image list"
	      "|image inspect|image history|volume ls|volume list|volume inspect|network ls"
	      "|network list|network inspect|system df|system info|system events|context ls"
	      "|context list|context show|context inspect|plugin ls|plugin inspect|buildx ls"
	      "|buildx inspect|buildx version|buildx du|builder du|node ls|node ps|node inspect"
	      "|service ls|service ps|service inspect|service logs|stack ls|stack ps"
	      "|stack services|secret ls|secret inspect|config ls|config inspect|swarm ca"
	      "|machine list|machine ls|machine info|machine inspect|pod ls|pod list|pod ps"
	      "|pod inspect|pod top|pod stats|image exists|container exists|volume exists"
	      "|network exists|image tree|help"),
	{ "compose", NULL, compose_options, compose_subs, PARSE_GNU, 0, NULL,
	  containers_refine_files },
	REFINED("run|create|container run|container create", run_options, PARSE_POSIX,
		containers_refine_run),
	REFINED("exec|container exec", exec_options, PARSE_POSIX, containers_refine_exec),
	REFINED("rm|container rm|container remove|rmi|image rm|image remove|untag|pod rm|network rm"
		"|network remove|manifest rm",
		remove_options, 0, containers_refine_remove),
	REFINED("system prune|container prune|image prune|network prune|builder prune|buildx prune"
		"|pod prune|container cleanup",
		remove_options, 0, containers_refine_prune),
	REFINED("volume rm|volume remove", remove_options, 0, containers_refine_volume),
	REFINED("volume prune", remove_options, 0, containers_refine_volume_prune),
	REFINED("cp|container cp", NULL, 0, containers_refine_copy),
	SUB_DOES("system reset|machine reset", &resets),
	SUB_DOES("swarm leave", &resets),
	{ "build|buildx build|builder build|image build|buildx bake|buildx b", ".*", build_options,
	  NULL, PARSE_LOOSE, FIND_NETWORK, &builds, NULL },
	{ "save|export|image save|container export|load|image load|import|image import", NULL,
	  save_options, NULL, PARSE_LOOSE, 0, &saves, NULL },
	TALKS("pull|push|search|image pull|image push|manifest|trust|scout|plugin "
	      "install|scan|artifact"
	      "|sbom|model|mcp|ai|debug|desktop|offload",
	      NULL, &transfers),
	SUB_DOES("login|logout", &logs_in),
	{ "unshare", "!", NULL, NULL, PARSE_POSIX, 0, &namespace_shell, NULL },
	{ "machine ssh", NULL, NULL, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  containers_refine_exec },
	SUB_DOES("start|stop|restart|kill|pause|unpause|wait|attach|commit|rename|update|tag|"
		 "container"
		 "|image|network|volume|pod|machine|play|kube|generate|mount|healthcheck|system|"
		 "checkpoint|init"
		 "|container start|container stop|container restart|container kill|network create"
		 "|network connect|network disconnect|volume create|image tag|container "
		 "commit|unmount"
		 "|auto-update|container rename|container update|system connection|quadlet|farm",
		 &controls),
	SUB_DOES("context|plugin|buildx|builder|swarm|node|service|stack|secret|config|system "
		 "dial-stdio"
		 "|stack rm|service rm|secret rm|config rm|node rm|context rm|stack deploy",
		 &settings),
	PROGRAMS_END,
};

/* ---- buildah, crictl, ctr, lxc ----------------------------------------------------------- */

static const struct program buildah_subs[] = {
	READS("images|containers|inspect|info|version|help"),
	REFINED("run", run_options, PARSE_POSIX, containers_refine_lxc_exec),
	{ "unshare", "!", NULL, NULL, PARSE_POSIX, 0, &namespace_shell, NULL },
	REFINED("rm|rmi", remove_options, 0, containers_refine_remove),
	TALKS("pull|push|from|login|logout", NULL, &transfers),
	SUB_DOES("bud|build|build-using-dockerfile|add|copy|commit|config|mount|umount|tag|rename|"
		 "manifest"
		 "|prune",
		 &builds),
	PROGRAMS_END,
};

static const struct program crictl_subs[] = {
	READS("ps|images|img|image|inspect|inspecti|inspectp|logs|pods|stats|version|info|"
	      "imagefsinfo"),
	REFINED("exec", exec_options, PARSE_POSIX, containers_refine_exec),
	REFINED("rm|rmp|rmi", remove_options, 0, containers_refine_remove),
	SUB_DOES("create|run|runp|start|stop|stopp|update|pull|attach|port-forward|config|"
		 "checkpoint",
		 &controls),
	PROGRAMS_END,
};

static const struct option_row lxc_delete_options[] = {
	ROW_FLAG("fi", "force interactive"),
	OPTIONS_END,
};

static const struct program lxc_subs[] = {
	READS("list|ls|info|version|image list|network list|profile list|storage list|remote list"
	      "|config show|help"),
	{ "exec|shell", NULL, exec_options, NULL, PARSE_LOOSE | PARSE_POSIX, 0, NULL,
	  containers_refine_lxc_exec },
	REFINED("delete|rm", lxc_delete_options, 0, containers_refine_remove),
	SUB_DOES("storage volume delete|storage delete|storage volume rm", &deletes_storage),
	SUB_DOES("admin shutdown|admin init|admin|cluster", &settings),
	SUB_DOES("launch|init|create|start|stop|restart|pause|file|config|profile|network|storage|"
		 "image"
		 "|snapshot|restore|copy|cp|move|mv|rename|export|import|publish|rebuild|remote|"
		 "project"
		 "|console|alias|monitor|operation|query|warning|auth",
		 &controls),
	PROGRAMS_END,
};

/* ---- virtual machines ------------------------------------------------------------------------ */

RULE(vm_destroys, "vm.destroy", FORBIDDEN, DELETES,
     "deletes a virtual machine and its disks without a question");
RULE(vm_deletes, "vm.delete", PROMPT, DELETES, "deletes a virtual machine");
RULE(vm_starts, "vm.run", PROMPT, SYSTEM, "starts or changes a virtual machine");

static const struct option_row destroy_options[] = {
	ROW_RULE("f", "force", ARG_NONE, &vm_destroys),
	ROW_FLAG("g", "graceful no-parallel"),
	OPTIONS_END,
};

static const struct option_row ssh_options[] = {
	ROW_TAKES("c", "command"),
	ROW_TAKES(NULL, "workdir shell user"),
	OPTIONS_END,
};

static const struct program vagrant_subs[] = {
	{ "version|help|list-commands", NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "destroy", NULL, destroy_options, NULL, PARSE_LOOSE, 0, &vm_deletes, NULL },
	REFINED("ssh", ssh_options, 0, containers_refine_ssh),
	SUB_DOES("|up|halt|reload|resume|suspend|provision|status|global-status|box|plugin|snapshot"
		 "|package|init|validate|port|rsync|upload|login|cloud|push|winrm|ssh-config|"
		 "powershell",
		 &vm_starts),
	PROGRAMS_END,
};

static const struct option_row virsh_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("vV", "version"),
	ROW_TAKES("cdek", "connect debug escape keepalive-interval log"),
	ROW_FLAG("rqt", "readonly quiet timing"),
	OPTIONS_END,
};

static const struct option_row undefine_options[] = {
	ROW_RULE(NULL, "remove-all-storage wipe-storage", ARG_NONE, &deletes_storage),
	ROW_TAKES(NULL, "storage"),
	ROW_FLAG(
		NULL,
		"managed-save snapshots-metadata nvram keep-nvram delete-storage-volume-snapshots"),
	OPTIONS_END,
};

static const struct program virsh_subs[] = {
	{ "list|dominfo|domstate|domid|domuuid|domblklist|domblkinfo|domiflist|domstats|dumpxml"
	  "|nodeinfo|capabilities|version|hostname|uri|net-list|net-info|pool-list|pool-info|vol-"
	  "list"
	  "|vol-info|snapshot-list|snapshot-info|help|sysinfo|freecell|net-dumpxml|pool-dumpxml",
	  NULL, reader_options, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "undefine", NULL, undefine_options, NULL, PARSE_LOOSE, 0, &vm_deletes, NULL },
	SUB_DOES("vol-delete|vol-wipe|pool-delete", &deletes_storage),
	PROGRAMS_END,
};

static void
refine_virsh(const struct match *match, struct findings *found)
{
	if (service_has(match, 'c', "connect")) {
		find_rule(found, &settings, NULL);
	}
	if (match->parent == NULL) {
		service_find(match, found, &vm_starts);
	}
}

RULE(local_cluster, "cluster.local", PROMPT, SYSTEM, "starts, stops or deletes a local cluster");
RULE(local_cluster_purge, "cluster.local-purge", FORBIDDEN, DELETES,
     "deletes all local clusters and their settings");

static const struct option_row minikube_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", NULL),
	ROW_TAKES("pn", "profile node"),
	ROW_RULE(NULL, "purge", ARG_OPTIONAL, &local_cluster_purge),
	OPTIONS_END,
};

static const struct program local_subs[] = {
	READS("list|ls|version|status|info|profile list|ip|get clusters|get nodes|cluster list"
	      "|node list|help|images|image ls|networks|config view"),
	{ "ssh|shell|exec", NULL, ssh_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  containers_refine_exec },
	SUB_DOES("get kubeconfig|kubeconfig get", &shows_config),
	SUB_DOES(
		"start|stop|create|delete|delete cluster|create cluster|cluster create|cluster "
		"delete"
		"|purge|unprotect|protect|addons|config|kubectl|load|image|mount|tunnel|service|"
		"edit"
		"|copy|transfer|launch|restart|suspend|pause|unpause|snapshot|restore|nerdctl|prune"
		"|template|factory-reset|disk|export|build|node|registry|update|recover|alias|set|"
		"get",
		&local_cluster),
	PROGRAMS_END,
};

#define DOCKER(names)                                                                              \
	{                                                                                          \
		names, NULL, docker_options, docker_subs, PARSE_POSIX, 0, NULL,                    \
			containers_refine_host                                                     \
	}

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	OPTIONS_END,
};

const struct program models_containers[] = {
	DOCKER("docker podman nerdctl finch lima-docker podman-remote"),
	{ "docker-compose podman-compose", NULL, compose_options, compose_subs, PARSE_POSIX, 0,
	  NULL, containers_refine_files },
	{ "buildah", NULL, help_options, buildah_subs, PARSE_POSIX, 0, NULL, NULL },
	{ "crictl", NULL, docker_options, crictl_subs, PARSE_POSIX, 0, NULL, NULL },
	{ "lxc incus", NULL, help_options, lxc_subs, PARSE_POSIX, 0, NULL, containers_refine_lxc },
	{ "ctr runc crun kata-runtime youki dockerd containerd conmon skopeo kaniko img umoci "
	  "apptainer singularity enroot lxc-start lxc-attach lxc-destroy lxc-create "
	  "machinectl-shell "
	  "systemd-run-container firejail-run distrobox toolbox orb devcontainer devpod",
	  ".*", help_options, NULL, PARSE_LOOSE, 0, &starts, NULL },
	{ "vagrant", NULL, help_options, vagrant_subs, PARSE_GNU, 0, NULL, NULL },
	{ "virsh", ".*", virsh_options, virsh_subs, PARSE_GNU, 0, NULL, refine_virsh },
	{ "minikube kind k3d k3s microk8s limactl lima colima multipass orbctl", NULL,
	  minikube_options, local_subs, PARSE_GNU, 0, NULL, NULL },
	{ "qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386 qemu-nbd "
	  "qemu-storage-daemon virt-install virt-manager virt-viewer virt-clone VBoxManage "
	  "VBoxHeadless "
	  "vmrun prlctl tart firecracker cloud-hypervisor gnome-boxes quickemu utmctl",
	  ".*", help_options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, &vm_starts,
	  NULL },
	PROGRAMS_END,
};
